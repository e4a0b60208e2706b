import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';

/** A reported position or cash balance, as decimal text or minor units. */
export type ControlTotal = {
  asOf: string;
  symbol: string | null;
  quantity: string | null;
  currency: string | null;
  amountMinor: string | null;
};

/**
 * Returns the newest control totals of a portfolio up to a day: the positions of the last day with reported positions,
 * and the cash of the last day with reported cash. A later statement of the same day replaces an earlier one as a whole.
 */
export async function controlTotals(em: Em, portfolio: string, asOf: string): Promise<ControlTotal[]> {
  const { rows } = await sql<ControlTotal>`
    select as_of::text as "asOf", symbol, trim_scale(quantity)::text as quantity, currency,
      amount_minor::text as "amountMinor"
    from (
      select t.* from portfolio_control_total t
      where t.portfolio_uid = ${portfolio} and (t.as_of, t.import_uid) = (
        select o.as_of, o.import_uid from portfolio_control_total o
        where o.portfolio_uid = t.portfolio_uid and o.as_of <= ${asOf}::date
          and (o.symbol is null) = (t.symbol is null)
        order by o.as_of desc, o.recorded_at desc, o.import_uid desc limit 1)
    ) newest order by symbol, currency
  `.execute(em.getKysely());
  return rows;
}
