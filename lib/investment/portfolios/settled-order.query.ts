import { sql, type RawBuilder } from 'kysely';
import { wasKnown } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';

/**
 * Why a settled order is not an event of its portfolio. In order of precedence:
 *
 * - **no_symbol**: the order names no symbol, and positions are by symbol.
 * - **before_opening**: the order was traded before the portfolio was opened. The opening positions contain it.
 */
export const unbookedReasons = ['no_symbol', 'before_opening'] as const;
export type UnbookedReason = (typeof unbookedReasons)[number];

export type UnbookedOrder = {
  order: string;
  reason: UnbookedReason;
  side: 'buy' | 'sell';
  symbol: string | null;
  quantity: string;
  currency: string;
  amount_minor: number;
  traded_on: string;
  settled_on: string | null;
};

/** Maximum number of unbooked orders that a read returns. */
export const UNBOOKED_MAX = 200;

/**
 * Returns those settled orders of a portfolio that are not events of the portfolio, as known by the end of a day (UTC),
 * latest first. An order that a file recorded under its uid counts as an event.
 */
export async function unbookedOrders(em: Em, key: string, asOf: string): Promise<UnbookedOrder[]> {
  const { rows } = await sql<Omit<UnbookedOrder, 'amount_minor'> & { amount_minor: string }>`
    select s.order_uid as order, case when s.symbol is null then 'no_symbol' else 'before_opening' end as reason,
      s.side, s.symbol, trim_scale(s.quantity)::text as quantity, s.currency, s.amount_minor::text as amount_minor,
      s.traded_on::text as traded_on, s.settled_on::text as settled_on
    from ${unbooked(tenantOf(em), [key], asOf)} s
    where s.traded_on <= ${asOf}::date
    order by s.traded_on desc, s.order_uid desc limit ${UNBOOKED_MAX}
  `.execute(em.getKysely());
  // The column is bounded by the largest safe integer, so the conversion is exact.
  return rows.map((row) => ({ ...row, amount_minor: Number(row.amount_minor) }));
}

/** Counts those settled orders of portfolios that are not events of their portfolio. */
export async function countUnbooked(em: Em, place: Tenant, keys: readonly string[]): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from ${unbooked(place, keys, undefined)} s
  `.execute(em.getKysely());
  return rows[0]!.count;
}

/** A subquery for the last known settlement of each order that is still settled and is not an event. */
function unbooked(
  { workspace, environment }: Tenant,
  keys: readonly string[],
  asOf: string | undefined,
): RawBuilder<unknown> {
  return sql`(
    select latest.* from (
      select distinct on (s.order_uid) s.*, p.uid as portfolio_uid from order_settlement s
      join portfolio p on p.workspace_uid = s.workspace_uid and p.environment = s.environment
        and p.key = s.portfolio_key
      where s.workspace_uid = ${workspace} and s.environment = ${environment}
        and s.portfolio_key = any(${[...keys]}::text[]) and ${wasKnown('s', asOf)}
      order by s.order_uid, s.known_at desc
    ) latest
    where not latest.withdrawn and not exists (
      select from portfolio_event e
      where e.portfolio_uid = latest.portfolio_uid and e.reference = latest.order_uid and ${wasKnown('e', asOf)}
    )
  )`;
}
