import { sql } from 'kysely';
import { knownRows, wasImported } from '#lib/data/as-of.query.ts';
import type { ThemeExposure } from '#lib/data/taxonomy.ts';
import { taxonomyExposures, taxonomyInForce } from '#lib/data/taxonomy.query.ts';
import type { Em } from '#lib/database/base.ts';

/** The last known sector and currency of an instrument; null if unknown. */
export type KnownInstrument = { symbol: string; sector: string | null; currency: string | null };

type Pinned = { asOf: string; revisions: Readonly<Record<string, number>> };

/**
 * Returns the last known sector and currency of some symbols, or of all symbols of a sector, ordered by
 * symbol. If several datasets contain a symbol, a dataset of the workspace takes precedence over a dataset of
 * the platform, then the oldest dataset takes precedence.
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

/** Returns the exposures to themes in the taxonomy in force at a day. A taxonomy of the workspace takes precedence. */
export async function exposuresTo(
  em: Em,
  themes: ReadonlySet<string>,
  { asOf, revisions }: Pinned,
): Promise<ThemeExposure[]> {
  if (themes.size === 0) return [];
  const chosen = await taxonomyInForce(em, asOf, revisions);
  if (!chosen) return [];
  return (await taxonomyExposures(em, chosen.id)).filter(({ theme }) => themes.has(theme));
}
