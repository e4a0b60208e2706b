import { sql } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { knownRows, wasImported } from '#lib/data/as-of.query.ts';
import { pricedSymbols } from '#lib/data/price-bars.query.ts';
import {
  publishedTaxonomyVersions,
  taxonomyExposures,
  type TaxonomyVersionHead,
} from '#lib/data/taxonomy.query.ts';
import type { InstrumentFact, ThemeVersion, UniverseVersion } from './strategy-data.ts';
import { SYMBOLS_MAX } from './strategy-members.schema.ts';
import type { StrategyQuestion } from './strategy-question.ts';

export type Pinned = { asOf: string; until: string; revisions: Readonly<Record<string, number>> };

/**
 * Returns the symbols that a universe ever contains, in code unit order, at most one more than the limit. `versions`
 * are its published versions, or null if the symbols are members at all times.
 */
export async function universeOf(
  em: Em,
  { universe, frequency }: StrategyQuestion,
  pinned: Pinned,
): Promise<{ symbols: string[]; versions: UniverseVersion[] | null }> {
  const { kind, symbols, name, dataset } = universe;
  switch (kind) {
    case 'list':
      return { symbols: symbols.toSorted(), versions: null };
    case 'observed':
      return {
        symbols: await pricedSymbols(em, { frequency, ...pinned, limit: SYMBOLS_MAX + 1 }),
        versions: null,
      };
    case 'sector':
      return { symbols: await everInSector(em, { sector: name!, dataset }, pinned), versions: null };
    case 'theme':
      return ofVersions(await themeVersions(em, { theme: name!, dataset }, pinned));
    case 'constituents':
      return ofVersions(await publishedLists(em, dataset, pinned));
  }
}

function ofVersions(versions: UniverseVersion[]) {
  const symbols = [...new Set(versions.flatMap((version) => version.symbols))].sort();
  return { symbols: symbols.slice(0, SYMBOLS_MAX + 1), versions };
}

/** Returns the symbols that were ever in a sector. */
async function everInSector(
  em: Em,
  { sector, dataset }: { sector: string; dataset: string | null },
  { asOf, until, revisions }: Pinned,
): Promise<string[]> {
  const known = knownRows({
    table: 'instrument_version',
    key: ['dataset_id', 'symbol', 'observed_on'],
    columns: ['sector'],
    where: sql`o.sector = ${sector} and o.observed_on <= ${until}::date and ${wasImported('o', revisions)}`,
    asOf,
  });
  const { rows } = await sql<{ symbol: string }>`
    select distinct k.symbol collate "C" as symbol from ${known} k join dataset d on d.id = k.dataset_id
    where ${dataset}::text is null or d.uid = ${dataset} order by 1 limit ${SYMBOLS_MAX + 1}
  `.execute(em.getKysely());
  return rows.map(({ symbol }) => symbol);
}

/** Returns the published lists of instruments, each with the day from which it applied and was known. */
async function publishedLists(
  em: Em,
  dataset: string | null,
  { asOf, until, revisions }: Pinned,
): Promise<UniverseVersion[]> {
  const known = knownRows({
    table: 'instrument_version',
    key: ['dataset_id', 'observed_on', 'symbol'],
    columns: ['known_at_basis'],
    where: sql`o.observed_on <= ${until}::date and ${wasImported('o', revisions)}`,
    asOf,
  });
  const { rows } = await sql<UniverseVersion>`
    with lists as (
      select k.dataset_id, k.observed_on, max((k.known_at at time zone 'utc')::date) as known_on,
        array_agg(k.symbol order by k.symbol) as symbols
      from ${known} k where k.known_at_basis = 'stated' group by k.dataset_id, k.observed_on
    ),
    serving as (
      select d.id from dataset d where d.id in (select dataset_id from lists)
        and (${dataset}::text is null or d.uid = ${dataset})
      order by d.workspace_uid is null, d.id limit 1
    )
    select greatest(l.observed_on, l.known_on)::text as since, l.symbols
    from lists l join serving s on s.id = l.dataset_id order by l.observed_on
  `.execute(em.getKysely());
  return rows;
}

/** Returns the symbols of a theme by version of the taxonomy. */
async function themeVersions(
  em: Em,
  { theme, dataset }: { theme: string; dataset: string | null },
  pinned: Pinned,
): Promise<UniverseVersion[]> {
  const versions: UniverseVersion[] = [];
  for (const { id, publishedAt } of await taxonomyVersions(em, dataset, pinned)) {
    const exposures = await taxonomyExposures(em, id);
    const symbols = exposures.flatMap((each) =>
      each.theme === theme && each.micro > 0 ? [each.symbol] : [],
    );
    versions.push({ since: publishedAt.slice(0, 10), symbols: symbols.sort() });
  }
  return versions;
}

/**
 * Returns the main theme of each symbol, by version of the taxonomy. The main theme is the theme to which the symbol
 * has the largest exposure. Ties go to the first name.
 */
export async function mainThemes(
  em: Em,
  { symbols, dataset }: { symbols: readonly string[]; dataset: string | null },
  pinned: Pinned,
): Promise<ThemeVersion[]> {
  const wanted = new Set(symbols);
  const versions: ThemeVersion[] = [];
  for (const { id, publishedAt } of await taxonomyVersions(em, dataset, pinned)) {
    const main = new Map<string, { theme: string; micro: number }>();
    for (const { theme, symbol, micro } of await taxonomyExposures(em, id)) {
      if (wanted.has(symbol) && micro > (main.get(symbol)?.micro ?? 0)) main.set(symbol, { theme, micro });
    }
    const themes = Object.fromEntries([...main].map(([symbol, { theme }]) => [symbol, theme]));
    versions.push({ since: publishedAt.slice(0, 10), themes });
  }
  return versions;
}

/** Returns the versions of a taxonomy, oldest first. A taxonomy of the workspace takes precedence. */
async function taxonomyVersions(
  em: Em,
  dataset: string | null,
  { until, revisions }: Pinned,
): Promise<TaxonomyVersionHead[]> {
  const published = (await publishedTaxonomyVersions(em, revisions)).filter(
    (version) =>
      version.publishedAt.slice(0, 10) <= until && (dataset === null || version.dataset === dataset),
  );
  const own = published.filter(({ isPlatform }) => !isPlatform);
  const textOf = ({ publishedAt, version }: TaxonomyVersionHead) => `${publishedAt} ${version}`;
  return (own.length > 0 ? own : published).sort((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

/**
 * Returns the known facts about instruments, ordered by symbol and day. A dataset of the workspace takes
 * precedence.
 */
export async function instrumentFacts(
  em: Em,
  { symbols, dataset }: { symbols: readonly string[]; dataset: string | null },
  { asOf, until, revisions }: Pinned,
): Promise<InstrumentFact[]> {
  const known = knownRows({
    table: 'instrument_version',
    key: ['dataset_id', 'symbol', 'observed_on'],
    columns: ['sector', 'status', 'currency'],
    where: sql`o.symbol = any(${[...symbols]}::text[]) and o.observed_on <= ${until}::date
      and ${wasImported('o', revisions)}`,
    asOf,
  });
  const { rows } = await sql<InstrumentFact>`
    with known as (
      select k.*, d.workspace_uid is null as is_platform from ${known} k join dataset d on d.id = k.dataset_id
      where ${dataset}::text is null or d.uid = ${dataset}
    ),
    serving as (
      select distinct on (symbol) symbol, dataset_id from known order by symbol, is_platform, dataset_id
    )
    select k.symbol, k.observed_on::text as "observedOn",
      greatest(k.observed_on, (k.known_at at time zone 'utc')::date)::text as since, k.sector, k.status, k.currency
    from known k join serving s on s.symbol = k.symbol and s.dataset_id = k.dataset_id
    order by k.symbol collate "C", k.observed_on
  `.execute(em.getKysely());
  return rows;
}
