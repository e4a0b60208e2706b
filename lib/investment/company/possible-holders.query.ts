import { sql } from 'kysely';
import { instant, wasKnown } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { splitsOf } from '../portfolios/split.query.ts';

/**
 * Maximum number of event versions from which holders are derived. This maximum is smaller than the maximum for one
 * portfolio, because the page of a company has other blocks and the thread is shared.
 */
export const HOLDER_EVENTS_MAX = 50_000;

export type PossibleHolders = {
  /** The uids of the portfolios, without those whose shares were all sold. */
  holding: string[];
  /**
   * The moment at which the newest event for these symbols became known. The next member is the trade date of the
   * newest event. Both are null if no event was known.
   */
  knownAt: string | null;
  tradedOn: string | null;
};

/**
 * Finds those portfolios of the tenant that may hold some symbols at the end of a day (UTC), by the events known then.
 * After a split, every portfolio with an event is returned, because its shares cannot be added up here. Returns
 * `too_large` if the symbols have too many events.
 */
export async function possibleHolders(
  em: Em,
  { symbols, asOf }: { symbols: readonly string[]; asOf: string },
): Promise<PossibleHolders | 'too_large'> {
  const { workspace, environment } = tenantOf(em);
  const hasSplits = (await splitsOf(em, { symbols, asOf })).length > 0;
  const { rows } = await sql<{
    portfolio: string;
    isHolding: boolean;
    knownAt: string;
    tradedOn: string;
    versions: number;
  }>`
    with touched as (
      -- A correction may change the symbol, so all versions of a reference count.
      select e.portfolio_uid, e.reference from portfolio_event e
      where e.workspace_uid = ${workspace} and e.environment = ${environment}
        and e.symbol = any(${[...symbols]}::text[]) and ${wasKnown('e', asOf)}
      limit ${HOLDER_EVENTS_MAX + 1}
    ), known as (
      select distinct on (e.portfolio_uid, e.reference) e.* from portfolio_event e
      join (select distinct portfolio_uid, reference from touched) t using (portfolio_uid, reference)
      where ${wasKnown('e', asOf)}
      order by e.portfolio_uid, e.reference, e.known_at desc
    )
    select k.portfolio_uid as portfolio, ${instant(sql`max(max(k.known_at)) over ()`)} as "knownAt",
      (max(max(k.traded_on)) over ())::text as "tradedOn", (select count(*)::integer from touched) as versions,
      ${hasSplits} or bool_or(k.type = 'split_override')
        or sum(case when k.type in ('buy', 'transfer_in', 'reinvest') then k.quantity
          when k.type in ('sell', 'transfer_out') then -k.quantity else 0 end) <> 0 as "isHolding"
    from known k
    where not k.withdrawn and k.traded_on <= ${asOf}::date and k.symbol = any(${[...symbols]}::text[])
    group by k.portfolio_uid order by k.portfolio_uid
  `.execute(em.getKysely());
  if ((rows[0]?.versions ?? 0) > HOLDER_EVENTS_MAX) return 'too_large';
  return {
    holding: rows.filter(({ isHolding }) => isHolding).map(({ portfolio }) => portfolio),
    knownAt: rows[0]?.knownAt ?? null,
    tradedOn: rows[0]?.tradedOn ?? null,
  };
}
