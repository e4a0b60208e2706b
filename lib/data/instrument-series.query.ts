import { sql, type RawBuilder } from 'kysely';
import type { Em } from '#lib/database/base.ts';
import { wasKnown } from './as-of.query.ts';
import type { PriceBasis } from './dataset.entity.ts';
import { rangesHeld, symbolRanges, type InstrumentSymbol, type SymbolRange } from './instrument.ts';
import { versionsOf } from './instrument.query.ts';

/** The table for each kind of instrument observations. */
const tables = {
  prices: 'price',
  corporate_actions: 'corporate_action',
  fundamentals: 'fundamental',
} as const;
export type SeriesKind = keyof typeof tables;

export const priceFrequencies = ['daily', 'monthly'] as const;
export type PriceFrequency = (typeof priceFrequencies)[number];

/** An instrument with its symbols, as they were known. */
export type Subject = { uid: string; owner: string | null; symbols: InstrumentSymbol[] };

/** Observations of an instrument in one dataset, at one revision of the dataset. */
export type Series = {
  datasetId: number;
  datasetUid: string;
  /**
   * The revision of the dataset. Rows of later revisions are left out, so that all pages of a list show the
   * same state of the data.
   */
  revision: number;
  /** The number of stored rows. It decreases when old observations are dropped. */
  rowsHeld: number;
  priceBasis: PriceBasis | null;
  frequency: PriceFrequency | null;
  ranges: SymbolRange[];
};

/** An instrument with its preferred series, if it has one. */
export type SubjectSeries = { subject: Subject; series: Series | undefined };

export type SeriesQuestion = {
  kind: SeriesKind;
  asOf: string | undefined;
  /** For prices: their frequency. Default: the daily series, or the monthly series if there is no daily series. */
  frequency?: PriceFrequency | undefined;
  /** Uid of the dataset. Default: the preferred dataset with data about the instrument. */
  dataset?: string | undefined;
};

/** Finds an instrument that the tenant may read; undefined if the tenant may read no such instrument. */
export async function findSubject(
  em: Em,
  uid: string,
  asOf: string | undefined,
): Promise<Subject | undefined> {
  const { rows } = await sql<InstrumentSymbol & { owner: string | null }>`
    ${symbolsOf(uid, asOf)} order by m.symbol
  `.execute(em.getKysely());
  if (rows.length === 0) return undefined;
  return { uid, owner: rows[0]!.owner, symbols: rows.map(({ owner: _, ...symbol }) => symbol) };
}

/** Returns the statement that reads the symbols of an instrument. The alias of a symbol is `m`. */
function symbolsOf(uid: string, asOf: string | undefined): RawBuilder<unknown> {
  return sql`
    select m.symbol, m.follows, d.workspace_uid as owner, (
      select min(v.observed_on)::text from ${versionsOf('m', ['previous_symbol'], asOf)} v
      where v.previous_symbol is not null
    ) as since
    from instrument m join dataset d on d.id = m.dataset_id
    where m.uid = ${uid}`;
}

/**
 * Finds the preferred series of an instrument. A dataset must contain one of the symbols of the instrument.
 * Datasets take precedence in this order: a dataset with the same owner as the instrument, a dataset of the
 * workspace, a dataset of the platform; among equal datasets, the oldest. Returns undefined if no dataset
 * contains a series that was known by the end of the as-of day.
 */
export async function findSeries(
  em: Em,
  { owner, symbols }: Subject,
  question: SeriesQuestion,
): Promise<Series | undefined> {
  const ranges = symbolRanges(symbols);
  const named = sql`unnest(${ranges.map(({ symbol }) => symbol)}::text[]) s (symbol)`;
  const { rows } = await sql<SeriesRow>`
    ${preferredSeries({ owner: sql`${owner}`, symbols: named }, question)}
  `.execute(em.getKysely());
  return rows[0] && seriesOf(rows[0], ranges);
}

/**
 * Finds an instrument and its preferred series in one statement, as `findSubject` and `findSeries` do one after the other.
 * `content` is the value of `readableContent` for the same state of the database.
 */
export async function findSubjectSeries(
  em: Em,
  uid: string,
  question: SeriesQuestion,
): Promise<{ found: SubjectSeries | undefined; content: string | null }> {
  // A symbol whose change is not known yet is left out, as in `symbolRanges`.
  const known = sql`(select symbol from subject where follows is null or since is not null) s`;
  const owner = sql`(select owner from subject order by symbol limit 1)`;
  const { rows } = await sql<
    { owner: string | null; subjectSymbols: InstrumentSymbol[] | null; content: string | null } & (
      | SeriesRow
      | { symbols: null }
    )
  >`
    with subject as materialized (${symbolsOf(uid, question.asOf)})
    select ${readableContent(question.kind)} as content, ${owner} as owner, (
      select json_agg(json_build_object('symbol', symbol, 'follows', follows, 'since', since) order by symbol)
      from subject
    ) as "subjectSymbols", series.*
    from (select) as one left join lateral (
      ${preferredSeries({ owner, symbols: known }, question)}
    ) series on true
  `.execute(em.getKysely());
  const { owner: ownedBy, subjectSymbols, content, ...row } = rows[0]!;
  if (!subjectSymbols) return { found: undefined, content };
  const subject = { uid, owner: ownedBy, symbols: subjectSymbols };
  const series = row.symbols ? seriesOf(row, symbolRanges(subjectSymbols)) : undefined;
  return { found: { subject, series }, content };
}

/**
 * Returns an expression for a hash of the content of the instruments and of the datasets of a kind that the tenant may
 * read; null if there are none. The number of rows changes when retention deletes observations.
 */
export function readableContent(kind: SeriesKind): RawBuilder<string | null> {
  return sql`(
    select encode(sha256(convert_to(string_agg(
      concat_ws(' ', d.uid, d.id, d.revision, d.rows_held, d.price_basis, d.content_hash), ',' order by d.id
    ), 'UTF8')), 'hex')
    from dataset d where d.kind in ('instruments', ${kind})
  )`;
}

/** A series as read, with the symbols of the instrument that its dataset contains. */
type SeriesRow = Omit<Series, 'ranges'> & { symbols: string[] };

function seriesOf({ symbols, ...series }: SeriesRow, ranges: readonly SymbolRange[]): Series {
  return { ...series, ranges: rangesHeld(ranges, new Set(symbols)) };
}

/**
 * Returns the statement that reads the preferred series of an instrument. `symbols` has the symbols of the instrument
 * under the alias `s`.
 */
function preferredSeries(
  { owner, symbols }: { owner: RawBuilder<unknown>; symbols: RawBuilder<unknown> },
  { kind, asOf, frequency, dataset }: SeriesQuestion,
): RawBuilder<unknown> {
  const isPrice = kind === 'prices';
  const wanted = isPrice ? (frequency === undefined ? priceFrequencies : [frequency]) : [null];
  return sql`
    select d.id as "datasetId", d.uid as "datasetUid", d.revision, d.rows_held::float8 as "rowsHeld", d.price_basis as "priceBasis", f.frequency,
      array_agg(s.symbol) as symbols
    from dataset d
    cross join ${symbols}
    cross join unnest(${[...wanted]}::text[]) with ordinality f (frequency, preference)
    cross join lateral (
      select from ${sql.table(tables[kind])} o
      where o.dataset_id = d.id and o.symbol = s.symbol
        ${isPrice ? sql`and o.frequency = f.frequency` : sql``} and ${wasKnown('o', asOf)}
      limit 1 -- one index lookup per series, never a scan of all observations
    ) found
    where d.kind = ${kind} and (${dataset ?? null}::text is null or d.uid = ${dataset ?? null})
    group by d.id, f.frequency, f.preference
    order by d.workspace_uid is distinct from ${owner}, d.workspace_uid is null, d.id, f.preference
    limit 1`;
}

/** Throws if a dataset can no longer be read. Otherwise its rows would be missing without an error. */
export async function assertReadable(em: Em, datasetId: number): Promise<void> {
  const { rows } = await sql`select from dataset where id = ${datasetId}`.execute(em.getKysely());
  if (rows.length === 0) throw new Error(`dataset ${datasetId} can no longer be read`);
}
