import { sql, type RawBuilder } from 'kysely';
import { compareText } from '#lib/core/compare-text.ts';
import type { Em } from '#lib/database/base.ts';
import { sha256 } from '#lib/core/seal.ts';
import { keptResults } from './kept-results.ts';
import { knownRows, wasKnown } from './as-of.query.ts';
import type { PriceBasis } from './dataset.entity.ts';

export type PricesQuestion = {
  symbols: readonly string[];
  /** `daily`: every observation. `monthly`: the last observation of each month. */
  frequency: 'daily' | 'monthly';
  /** First and last day of observation, inclusive. */
  from: string;
  until: string;
  /** The day at whose end (UTC) the observations were known. */
  asOf: string;
  /** The dataset revisions that may be read, by dataset id. */
  revisions: Readonly<Record<string, number>>;
};

/** The texts to return of the observations of a symbol. The alias of an observation is `o`. */
export type PricesWanted = {
  /** The columns of the observations that the expressions read. */
  columns: readonly string[];
  /** The value of an observation; observations without a value are left out. Default: no observation is left out. */
  value?: RawBuilder<unknown>;
  /** One observation as a text without a comma, which is written after its day and a space. */
  text: RawBuilder<unknown>;
  /** The number of symbols whose prices are read at once. Default: all. */
  atOnce?: number;
  /**
   * A name that no other wanted texts have. If it is given, the process keeps the texts that it read lately, and `make`
   * must depend on nothing else.
   */
  keptAs?: string;
};

/** The observations of a symbol as one text, `date text,date text,...`, oldest first. */
export type SymbolTexts = {
  symbol: string;
  observations: string;
  /** The number of observations whose moment of knowledge was assumed by the import. */
  assumed: number;
  /** The price basis of the dataset; null if it states none. */
  basis: PriceBasis | null;
};

/** A series that symbols may have: those of a frequency in a dataset, at a revision of the dataset. */
type Source = {
  datasetId: number;
  revision: number;
  isPlatform: boolean;
  basis: PriceBasis | null;
  /** The extent of the dataset, which changes when retention deletes observations. */
  extent: string;
  frequency: 'daily' | 'monthly';
};

/**
 * Returns what `make` makes of the observations of each symbol, ordered by symbol in code units. Symbols without
 * observations are left out.
 *
 * All observations of a symbol come from one series that has an observation, of any day up to `until`: for months, a
 * monthly series takes precedence over a daily one; then a dataset of the workspace over one of the platform.
 *
 * A symbol with observations in the series that takes precedence over all others has this series, so most symbols need
 * no lookup of their series.
 *
 * Kept texts are exact: the readable datasets are read each time, and observations up to a revision of a dataset never
 * change until retention deletes some, which changes the extent of the dataset. A tenant that may no longer read a
 * dataset does not get the texts kept of it.
 */
export async function readPrices<Made extends { symbol: string }>(
  em: Em,
  question: PricesQuestion,
  { make, ...wanted }: PricesWanted & { make(found: SymbolTexts): Made },
): Promise<Made[]> {
  const symbols = [...new Set(question.symbols)].sort(compareText);
  const sources = await sourcesOf(em, question);
  const { keptAs } = wanted;
  const read = () => readSources(em, sources, { ...question, symbols }, { make, ...wanted });
  if (keptAs === undefined) return (await read()).made;
  const { from, until, asOf, frequency } = question;
  const tenant = em.getFilterParams('tenant');
  const asked = JSON.stringify([keptAs, tenant, sources, frequency, from, until, asOf, symbols]);
  return [...(await keptResults(em, sha256(asked), read))];
}

async function readSources<Made extends { symbol: string }>(
  em: Em,
  sources: readonly Source[],
  question: PricesQuestion,
  { make, ...wanted }: PricesWanted & { make(found: SymbolTexts): Made },
): Promise<{ made: Made[]; characters: number }> {
  const [first, ...others] = sources;
  if (!first) return { made: [], characters: 0 };
  const { symbols } = question;
  const { atOnce = symbols.length } = wanted;
  const made: Made[] = [];
  let characters = 0;
  const take = async (source: Source, own: readonly string[]): Promise<SymbolTexts[]> => {
    const texts = await readSource(em, source, { ...question, symbols: own }, wanted);
    for (const text of texts) characters += text.observations.length;
    made.push(...texts.map(make));
    return texts;
  };
  for (let at = 0; at < symbols.length; at += atOnce) {
    const slice = symbols.slice(at, at + atOnce);
    const found: ReadonlySet<string> = new Set((await take(first, slice)).map(({ symbol }) => symbol));
    const rest = slice.filter((symbol) => !found.has(symbol));
    if (others.length === 0 || rest.length === 0) continue;
    for (const [source, own] of await chooseSources(em, sources, { ...question, symbols: rest })) {
      if (source !== first) await take(source, own);
    }
  }
  return { made: made.sort((one, other) => compareText(one.symbol, other.symbol)), characters };
}

/** Returns the series that the tenant may read, in order of precedence. */
async function sourcesOf(
  em: Em,
  { revisions, frequency }: Pick<PricesQuestion, 'revisions' | 'frequency'>,
): Promise<Source[]> {
  const { rows } = await sql<Omit<Source, 'frequency'>>`
    select d.id as "datasetId", least(pinned.value::int, d.revision) as revision, d.workspace_uid is null as "isPlatform",
      d.price_basis as basis, concat_ws(' ', d.rows_held, d.first_observed_on) as extent
    from jsonb_each_text(${JSON.stringify(revisions)}::jsonb) pinned
    join dataset d on d.id = pinned.key::int and d.kind = 'prices'
    order by d.workspace_uid is null, d.id
  `.execute(em.getKysely());
  const frequencies = frequency === 'daily' ? (['daily'] as const) : (['monthly', 'daily'] as const);
  return frequencies.flatMap((each) => rows.map((row) => ({ ...row, frequency: each })));
}

/** Returns the symbols of each series, for the symbols that have a series. */
async function chooseSources(
  em: Em,
  sources: readonly Source[],
  { symbols, until, asOf }: PricesQuestion,
): Promise<Map<Source, string[]>> {
  const { rows } = await sql<{ symbol: string; place: number }>`
    select distinct on (s.symbol) s.symbol, r.place::int
    from unnest(${symbols}::text[]) s (symbol)
    cross join unnest(${sources.map(({ datasetId }) => datasetId)}::int[],
      ${sources.map(({ revision }) => revision)}::int[], ${sources.map(({ frequency }) => frequency)}::text[])
      with ordinality r (dataset_id, revision, frequency, place)
    cross join lateral (
      select from price p
      where p.dataset_id = r.dataset_id and p.symbol = s.symbol and p.frequency = r.frequency
        and p.observed_on <= ${until}::date and p.revision <= r.revision and ${wasKnown('p', asOf)}
      limit 1 -- one index lookup per series, never a scan of all prices
    ) found
    order by s.symbol, r.place
  `.execute(em.getKysely());
  const chosen = Map.groupBy(rows, ({ place }) => sources[place - 1]!);
  return new Map([...chosen].map(([source, own]) => [source, own.map(({ symbol }) => symbol)]));
}

/**
 * Reads the observations of symbols from one series. The prices of a monthly series are read without the choice of the
 * last observation of each month, which takes a sixth of the time; only symbols that have two observations in a month
 * are read again.
 */
async function readSource(
  em: Em,
  source: Source,
  question: PricesQuestion,
  wanted: PricesWanted,
): Promise<SymbolTexts[]> {
  const { basis } = source;
  const read = async (symbols: readonly string[], choosesMonths: boolean) => {
    const rows = await readRows(em, source, { ...question, symbols, choosesMonths }, wanted);
    return rows.map((row) => ({ ...row, basis }));
  };
  if (question.frequency === 'daily') return read(question.symbols, false);
  // An observation without a value can be the last one of its month, and the text does not show it.
  if (source.frequency === 'daily' || wanted.value) return read(question.symbols, true);
  const rows = await read(question.symbols, false);
  const twice = rows.filter(hasTwoOfAMonth).map(({ symbol }) => symbol);
  if (twice.length === 0) return rows;
  return [...rows.filter((row) => !hasTwoOfAMonth(row)), ...(await read(twice, true))];
}

async function readRows(
  em: Em,
  { datasetId, revision, frequency }: Source,
  { symbols, from, until, asOf, choosesMonths }: PricesQuestion & { choosesMonths: boolean },
  { columns, value, text }: PricesWanted,
): Promise<Omit<SymbolTexts, 'basis'>[]> {
  const known = knownRows({
    table: 'price',
    key: ['observed_on'],
    columns: ['known_at_basis', ...columns],
    where: sql`o.dataset_id = ${datasetId} and o.symbol = s.symbol and o.frequency = ${frequency}
      and o.observed_on between ${from}::date and ${until}::date and o.revision <= ${revision}`,
    asOf,
  });
  const kept = choosesMonths
    ? sql`(select distinct on (date_trunc('month', o.observed_on::timestamp)) o.* from ${known} o
        order by date_trunc('month', o.observed_on::timestamp), o.observed_on desc)`
    : known;
  // The observations of a symbol are ordered by day already, so aggregating them apart needs no sort.
  const { rows } = await sql<Omit<SymbolTexts, 'basis'>>`
    select s.symbol, own.observations, own.assumed
    from unnest(${symbols}::text[]) s (symbol)
    cross join lateral (
      select string_agg(concat(o.observed_on, ' ', ${text}), ',' order by o.observed_on) as observations,
        (count(*) filter (where o.known_at_basis = 'assumed'))::int as assumed
      from ${kept} o ${value ? sql`where ${value} is not null` : sql``}
    ) own
    where own.observations is not null
  `.execute(em.getKysely());
  return rows;
}

/** Whether two neighbouring observations are in the same month. */
function hasTwoOfAMonth({ observations }: Pick<SymbolTexts, 'observations'>): boolean {
  for (let before = 0; ;) {
    const at = observations.indexOf(',', before) + 1;
    if (at === 0) return false;
    if (observations.startsWith(observations.slice(before, before + 'YYYY-MM'.length), at)) return true;
    before = at;
  }
}
