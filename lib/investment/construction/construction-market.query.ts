import { sql } from 'kysely';
import { knownRows, wasKnown } from '#lib/data/as-of.query.ts';
import { selectTaxonomyVersion, type ThemeExposure } from '#lib/data/taxonomy.ts';
import { publishedTaxonomyVersions, taxonomyExposures } from '#lib/data/taxonomy.query.ts';
import type { Em } from '#lib/database/base.ts';
import { wasImported } from '#lib/data/as-of.query.ts';
import { Portfolio } from '../portfolios/portfolio.entity.ts';
import type { ConstructionRunInput } from './construction-run.schema.ts';

/** The last known sector and currency of an instrument, or null. */
export type KnownInstrument = { symbol: string; sector: string | null; currency: string | null };

type Pinned = { asOf: string; revisions: Readonly<Record<string, number>> };

/**
 * Returns the last known sector and currency of symbols, or of the symbols of a sector, by symbol. A dataset of the
 * workspace takes precedence, then the oldest.
 */
export async function knownInstruments(
  em: Em,
  wanted: { symbols: readonly string[] } | { sector: string; limit: number },
  { asOf, revisions }: Pinned,
): Promise<KnownInstrument[]> {
  const isNamed = 'symbols' in wanted;
  const versions = knownRows({
    table: 'instrument_version',
    key: ['dataset_id', 'symbol', 'observed_on'],
    columns: ['sector', 'currency'],
    where: sql`${isNamed ? sql`o.symbol = any(${[...wanted.symbols]}::text[])` : sql`true`}
      and ${wasImported('o', revisions)}`,
    asOf,
  });
  const last = (column: string) =>
    sql`(array_agg(v.${sql.ref(column)} order by v.observed_on desc) filter (where v.${sql.ref(column)} is not null))[1]`;
  const { rows } = await sql<KnownInstrument>`
    select symbol, sector, currency from (
      select distinct on (v.symbol) v.symbol, ${last('sector')} as sector, ${last('currency')} as currency
      from ${versions} v join dataset d on d.id = v.dataset_id
      group by v.symbol, d.id, d.workspace_uid
      order by v.symbol, d.workspace_uid is null, d.id
    ) known
    where ${isNamed ? sql`true` : sql`sector = ${wanted.sector}`}
    order by symbol collate "C" limit ${isNamed ? wanted.symbols.length : wanted.limit}
  `.execute(em.getKysely());
  return rows;
}

/**
 * Returns the symbols that a portfolio may hold at the end of a day, in code-unit order. Symbols whose shares were all
 * sold are left out, except for those with a split, because their shares cannot be added up here.
 */
export async function possiblyHeld(
  em: Em,
  { portfolio: key, as_of: asOf, events_until: until }: ConstructionRunInput,
  splits: readonly string[],
): Promise<string[]> {
  if (until === null) return [];
  const { uid } = await em.findOneOrFail(Portfolio, { key });
  const { rows } = await sql<{ symbol: string }>`
    select e.symbol from (
      select distinct on (e.reference) e.* from portfolio_event e
      where e.portfolio_uid = ${uid} and ${wasKnown('e', asOf)} and e.recorded_at <= ${until}::timestamptz
      order by e.reference, e.known_at desc
    ) e
    where not e.withdrawn and e.traded_on <= ${asOf}::date and e.symbol is not null
    group by e.symbol
    having e.symbol = any(${[...splits]}::text[]) or bool_or(e.type = 'split_override')
      or sum(case when e.type in ('buy', 'transfer_in', 'reinvest') then e.quantity
        when e.type in ('sell', 'transfer_out') then -e.quantity else 0 end) <> 0
    order by e.symbol collate "C"
  `.execute(em.getKysely());
  return rows.map(({ symbol }) => symbol);
}

/** Returns the exposures to themes in the taxonomy in force at a day. A taxonomy of the workspace takes precedence. */
export async function exposuresTo(
  em: Em,
  themes: ReadonlySet<string>,
  { asOf, revisions }: Pinned,
): Promise<ThemeExposure[]> {
  if (themes.size === 0) return [];
  const versions = await publishedTaxonomyVersions(em, revisions);
  const own = versions.filter(({ isPlatform }) => !isPlatform);
  const chosen = selectTaxonomyVersion(own.length ? own : versions, asOf);
  if (!chosen) return [];
  return (await taxonomyExposures(em, chosen.id)).filter(({ theme }) => themes.has(theme));
}
