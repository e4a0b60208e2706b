import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { readFrequency } from '#lib/data/economic-series.ts';
import type { Em } from '#lib/database/orm.ts';
import { aliases } from './aliases.ts';
import { placesOf, type ColumnRules, type Columns } from './columns.ts';
import { seriesFault, textFault } from './fields.ts';
import type { Load, Loaded } from './import-file.ts';
import { ImportRefused } from './import-refused.ts';
import { economics } from './economics.ts';
import { loadObservations } from './load-observations.ts';
import { RowReader, type RowParser } from './row-reader.ts';
import { STAGING } from './staging.ts';

const TEXTS = ['title', 'unit', 'seasonal_adjustment', 'source', 'licence'] as const;

/** What is said of a series; what is null stays as it is known. */
type StatedSeries = { key: string; frequency: string | null } & Record<(typeof TEXTS)[number], string | null>;

type SeriesFile = { content: string; rows: StatedSeries[] };

export const seriesColumns: ColumnRules = {
  required: ['series'],
  optional: ['frequency', ...TEXTS],
  ignored: ['first', 'last', 'observations', 'notes', 'observation_start', 'observation_end', 'last_updated'],
  aliases: aliases.economic_series,
};

/** Series are listed by the thousand; a longer file is one of observations. */
const SERIES_MAX = 200_000;

/** Loads observations and, from a file beside them, what is said of their series. */
export async function loadEconomics(em: Em, load: Load): Promise<Loaded> {
  const stated = load.seriesPath === undefined ? undefined : await readSeries(load.seriesPath);
  const loaded = await loadObservations(em, load, economics, async () => {
    await storeSeries(em, load, stated?.rows ?? []);
    return {};
  });
  return { ...loaded, hashes: { ...loaded.hashes, versions: stated?.content ?? null } };
}

async function readSeries(path: string): Promise<SeriesFile> {
  const hash = createHash('sha256');
  const reader = new RowReader<StatedSeries>({ path, rules: seriesColumns, parser: seriesParser, hash });
  const rows: StatedSeries[] = [];
  for await (const batch of reader.batches()) {
    rows.push(...batch);
    if (rows.length > SERIES_MAX)
      throw new ImportRefused('import_refused', `a series file has at most ${SERIES_MAX} rows`);
  }
  if (reader.rejected > 0) throw reader.faults.refusal('the series file');
  return { content: hash.digest('hex'), rows };
}

function seriesParser(columns: Columns): RowParser<StatedSeries> {
  const [keyAt, frequencyAt] = placesOf(columns, ['series', 'frequency']) as [number, number];
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
      frequency === undefined ? 'is no frequency, such as monthly or quarterly' : undefined,
    );
    const texts = TEXTS.map((column, place): [string, string | null] => {
      const text = (fields[textsAt[place]!] ?? '').trim();
      if (text !== '') refuse(column, text, textFault(text));
      return [column, text === '' ? null : text];
    });
    return isValid ? ({ key, frequency, ...Object.fromEntries(texts) } as StatedSeries) : undefined;
  };
}

/** A new row for each series of which something new is said, and one for each that is observed and unknown yet. */
async function storeSeries(em: Em, load: Load, rows: readonly StatedSeries[]): Promise<void> {
  const database = em.getKysely();
  await sql`
    insert into economic_series (dataset_id, key, revision, title, frequency, unit, seasonal_adjustment, source,
      licence, recorded_at)
    select ${load.datasetId}, said.key, ${load.revision}, merged.title, merged.frequency, merged.unit,
      merged.seasonal_adjustment, merged.source, merged.licence, ${load.now.toISOString()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) said (key text, title text, frequency text, unit text,
      seasonal_adjustment text, source text, licence text)
    left join lateral (
      select * from economic_series s where s.dataset_id = ${load.datasetId} and s.key = said.key
      order by s.revision desc limit 1
    ) known on true
    cross join lateral (
      select coalesce(said.title, known.title) as title, coalesce(said.frequency, known.frequency) as frequency,
        coalesce(said.unit, known.unit) as unit,
        coalesce(said.seasonal_adjustment, known.seasonal_adjustment) as seasonal_adjustment,
        coalesce(said.source, known.source) as source, coalesce(said.licence, known.licence) as licence
    ) merged
    where known.key is null or (merged.*) is distinct from (known.title, known.frequency, known.unit,
      known.seasonal_adjustment, known.source, known.licence)
  `.execute(database);
  await sql`
    insert into economic_series (dataset_id, key, revision, recorded_at)
    select distinct ${load.datasetId}::integer, subject, ${load.revision}::integer, ${load.now.toISOString()}::timestamptz
    from ${sql.table(STAGING)} staged
    where not exists (
      select from economic_series s where s.dataset_id = ${load.datasetId} and s.key = staged.subject
    )
  `.execute(database);
}
