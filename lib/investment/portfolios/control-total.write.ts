import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import type { TotalRow } from './total-row.ts';

/**
 * Records control totals. Earlier control totals remain stored, but `controlTotals` reads only the last statement of a
 * portfolio and day.
 */
export async function insertTotals(
  em: Em,
  importUid: string,
  { place, rows, now }: { place: Tenant; rows: readonly TotalRow[]; now: Date },
): Promise<void> {
  const totals = rows.map((row) => ({
    uid: newUid(prefixes.portfolioTotal),
    portfolio_uid: row.portfolioUid,
    as_of: row.asOf,
    symbol: row.symbol,
    quantity: row.quantity,
    currency: row.currency,
    amount_minor: row.amountMinor,
  }));
  await sql`
    insert into portfolio_control_total (uid, workspace_uid, environment, portfolio_uid, import_uid, as_of, symbol,
      quantity, currency, amount_minor, recorded_at)
    select uid, ${place.workspace}, ${place.environment}, portfolio_uid, ${importUid}, as_of, symbol, quantity,
      currency, amount_minor, ${now.toISOString()}::timestamptz
    from jsonb_to_recordset(${JSON.stringify(totals)}::jsonb) t (uid text, portfolio_uid text, as_of date, symbol text,
      quantity numeric, currency text, amount_minor bigint)
  `.execute(em.getKysely());
}
