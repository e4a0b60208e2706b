import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { readFrequency } from '#lib/data/economic-series.ts';
import { latestMembers, SERIES_MEMBERS, seriesRevisions } from '#lib/data/economic-series.query.ts';
import type { Em } from '#lib/database/base.ts';
import { aliases } from '../readers/aliases.ts';
import { placesOf, type ColumnRules, type Columns } from '../readers/columns.ts';
import { seriesFault, textFault } from '../readers/fields.ts';
import type { Load, Loaded } from '../load/import-request.ts';
import { ImportRefused } from '../load/import-refused.ts';
import { economics } from './economics.ts';
import { readKnownAt } from '../readers/instant.ts';
import { loadObservations } from '../load/load-observations.ts';
import { RowReader, type RowParser } from '../readers/row-reader.ts';
import { STAGING } from '../load/staging.ts';

const TEXTS = ['title', 'unit', 'seasonal_adjustment', 'source', 'licence'] as const;

/** A description of a series. Null members keep their known values. */
type StatedSeries = { key: string; frequency: string | null; knownAt: string | null } & Record<
  (typeof TEXTS)[number],
  string | null
>;

type SeriesFile = { content: string; rows: StatedSeries[] };

export const seriesColumns: ColumnRules = {
  required: ['series'],
  optional: ['frequency', ...TEXTS, 'known_at'],
  ignored: ['first', 'last', 'observations', 'notes', 'observation_start', 'observation_end', 'last_updated'],
  aliases: aliases.economic_series,
};

/** The maximum number of series in a series file. A longer file is probably a file of observations. */
const SERIES_MAX = 200_000;

/** Loads observations, and the descriptions of their series from a second file. */
export async function loadEconomics(em: Em, load: Load): Promise<Loaded> {
  const stated = load.seriesPath === undefined ? undefined : await readSeries(load.seriesPath, load.now);
  const loaded = await loadObservations(em, load, economics, async () => {
    await storeSeries(em, load, stated?.rows ?? []);
    return {};
  });
  return { ...loaded, hashes: { ...loaded.hashes, versions: stated?.content ?? null } };
}

async function readSeries(path: string, now: Date): Promise<SeriesFile> {
  const hash = createHash('sha256');
  const parser = (columns: Columns) => seriesParser(columns, now);
  const reader = new RowReader<StatedSeries>({ path, rules: seriesColumns, parser, hash });
  const rows: StatedSeries[] = [];
  for await (const batch of reader.batches()) {
    rows.push(...batch);
    if (rows.length > SERIES_MAX)
      throw new ImportRefused('import_refused', `a series file can have at most ${SERIES_MAX} rows`);
  }
  if (reader.rejected > 0) throw reader.faults.refusal('the series file');
  return { content: hash.digest('hex'), rows };
}

function seriesParser(columns: Columns, now: Date): RowParser<StatedSeries> {
  const [keyAt, frequencyAt, knownAtAt] = placesOf(columns, ['series', 'frequency', 'known_at']) as [
    number,
    number,
    number,
  ];
  const textsAt = placesOf(columns, TEXTS);
  const lines = new Map<string, number>();
  return (fields, line, report) => {
    let isValid = true;
    const refuse = (column: string, value: string, reason: string | undefined) => {
      if (reason === undefined) return;
      isValid = false;
      report(column, value, reason);
    };
    const key = fields[keyAt]!;
    const earlier = lines.get(key);
    refuse(
      'series',
      key,
      seriesFault(key) ?? (earlier === undefined ? undefined : `repeats line ${earlier}`),
    );
    lines.set(key, line);
    const word = fields[frequencyAt] ?? '';
    const frequency = word === '' ? null : readFrequency(word);
    refuse(
      'frequency',
      word,
      frequency === undefined ? 'is not a frequency such as monthly or quarterly' : undefined,
    );
    const texts = TEXTS.map((column, place): [string, string | null] => {
      const text = (fields[textsAt[place]!] ?? '').trim();
      if (text !== '') refuse(column, text, textFault(text));
      return [column, text === '' ? null : text];
    });
    const moment = fields[knownAtAt] ?? '';
    const stated = moment === '' ? undefined : readKnownAt(moment, now);
    if (typeof stated === 'string') refuse('known_at', moment, stated);
    const knownAt = typeof stated === 'object' ? stated.text : null;
    return isValid ? ({ key, frequency, knownAt, ...Object.fromEntries(texts) } as StatedSeries) : undefined;
  };
}

/**
 * Adds a row for each series with a new description, and a row for each observed series that has no row yet. A
 * description without a stated moment is known from now on.
 */
async function storeSeries(em: Em, load: Load, rows: readonly StatedSeries[]): Promise<void> {
  const database = em.getKysely();
  const now = sql`${load.now.toISOString()}::timestamptz`;
  const members = (table: string) => sql.join(SERIES_MEMBERS.map((name) => sql.ref(`${table}.${name}`)));
  const ofSeries = sql`e.dataset_id = ${load.datasetId} and e.key = said.key`;
  await sql`
    insert into economic_series (dataset_id, key, revision, known_at, recorded_at, ${sql.join(SERIES_MEMBERS.map((name) => sql.ref(name)))})
    select ${load.datasetId}, said.key, ${load.revision}, said."knownAt", ${now}, ${members('merged')}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) said (key text, "knownAt" timestamptz,
      ${sql.join(SERIES_MEMBERS.map((name) => sql`${sql.ref(name)} text`))})
    cross join lateral (
      select count(*) as times, ${latestMembers()} from ${seriesRevisions(ofSeries)} v
      where v.known_at <= coalesce(said."knownAt", ${now})
    ) known
    cross join lateral (
      select ${sql.join(SERIES_MEMBERS.map((name) => sql`coalesce(${sql.ref(`said.${name}`)}, ${sql.ref(`known.${name}`)}) as ${sql.ref(name)}`))}
    ) merged
    where known.times = 0 or (merged.*) is distinct from (${members('known')})
  `.execute(database);
  await sql`
    insert into economic_series (dataset_id, key, revision, recorded_at)
    select distinct ${load.datasetId}::integer, subject, ${load.revision}::integer, ${now}
    from ${sql.table(STAGING)} staged
    where not exists (
      select from economic_series s where s.dataset_id = ${load.datasetId} and s.key = staged.subject
    )
  `.execute(database);
}
