import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { utcDate } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/orm.ts';
import { hasRepeatedKeys, rejectDuplicates, removeDuplicates } from './duplicates.ts';
import type { Frequency, Load, Loaded } from './import-file.ts';
import { instruments } from './instruments.ts';
import type { KeyOrder } from './key-order.ts';
import { mergeStaged } from './merge.ts';
import type { ObservationKind, StagedRow } from './observation-kind.ts';
import { prices } from './prices.ts';
import { RejectsFile } from './rejects-file.ts';
import { RowReader } from './row-reader.ts';
import { STAGING, stageRows } from './staging.ts';

/** Loads a file of prices. Its frequency is the one asked for, or what its columns and dates look like. */
export function loadPrices(em: Em, load: Load): Promise<Loaded> {
  return loadObservations(em, load, prices, async (reader, order) => {
    const frequency = load.frequency ?? (await frequencyOf(em, load.datasetId, reader, order));
    return { frequency };
  });
}

/** Loads a file about instruments, and gives each that is new its public id. */
export function loadInstruments(em: Em, load: Load): Promise<Loaded> {
  return loadObservations(em, load, instruments, async () => {
    await registerInstruments(em, load.datasetId);
    return {};
  });
}

type Prepare = (reader: RowReader<StagedRow>, order: KeyOrder) => Promise<{ frequency?: Frequency }>;

/** Stages the whole file, decides whether it is refused, and merges it. */
async function loadObservations(
  em: Em,
  load: Load,
  kind: ObservationKind,
  prepare: Prepare,
): Promise<Loaded> {
  const rejects =
    load.skipBad && load.rejectsPath !== undefined ? new RejectsFile(load.rejectsPath) : undefined;
  try {
    const hash = createHash('sha256');
    const reader = new RowReader<StagedRow>({
      path: load.path,
      rules: kind.columns,
      parser: (columns) => kind.parser(columns, { now: load.now, today: utcDate(load.now) }),
      rejects,
      hash,
      onProgress: load.onProgress,
    });
    const order = await stageRows(em, kind, reader);
    const repeatedKeys = !order.isAscending && (await hasRepeatedKeys(em));
    const duplicates = repeatedKeys ? await removeDuplicates(em) : { total: 0, first: [] };
    reader.faults.merge(duplicates.first, duplicates.total);
    const rejected = reader.rejected + duplicates.total;
    if (rejected > 0 && (!load.skipBad || rejected === reader.read)) throw reader.faults.refusal();
    if (rejects && duplicates.total > 0) await rejectDuplicates(em, load.path, rejects);
    const { frequency } = await prepare(reader, order);
    const counts = await mergeStaged(em, {
      kind,
      datasetId: load.datasetId,
      revision: load.revision,
      frequency,
      stated: kind.values.filter((name) => reader.columns!.at.has(name)),
      unstatedBasis: load.knownAt === 'now' ? 'imported' : 'assumed',
      now: load.now,
      isAscending: order.isAscending,
      hasRepeatedKeys: repeatedKeys,
    });
    await noteLastObserved(em, load.datasetId);
    await rejects?.close();
    return {
      hashes: { content: hash.digest('hex'), versions: null },
      frequency,
      rejectsPath: rejects?.rows ? rejects.path : undefined,
      rows: { read: reader.read, rejected, ...counts },
    };
  } catch (error) {
    await rejects?.discard();
    throw error;
  }
}

/** The newest day of a dataset is asked for on every submission without a date, so it is kept beside the dataset. */
async function noteLastObserved(em: Em, datasetId: number): Promise<void> {
  await sql`
    update dataset
    set last_observed_on = greatest(last_observed_on, (select max(observed_on) from ${sql.table(STAGING)}))
    where id = ${datasetId}
  `.execute(em.getKysely());
}

/**
 * Daily when the file has prices of a day's course, two days of one month of a symbol, or a symbol of which the dataset
 * has a daily series only, as a small correction of one has; else monthly.
 */
async function frequencyOf(
  em: Em,
  datasetId: number,
  reader: RowReader<StagedRow>,
  order: KeyOrder,
): Promise<Frequency> {
  const ofDay = ['open', 'high', 'low'].some((name) => reader.columns!.at.has(name));
  if (ofDay || order.hasDaysOfOneMonth) return 'daily';
  if (await hasOnlyDaily(em, datasetId)) return 'daily';
  if (order.isAscending) return 'monthly';
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from ${sql.table(STAGING)} group by symbol, date_trunc('month', observed_on)
      having count(distinct observed_on) > 1
    ) as found
  `.execute(em.getKysely());
  return rows[0]!.found ? 'daily' : 'monthly';
}

async function hasOnlyDaily(em: Em, datasetId: number): Promise<boolean> {
  const series = (frequency: Frequency) => sql`exists (
    select from price p
    where p.dataset_id = ${datasetId} and p.symbol = staged.symbol and p.frequency = ${frequency}
  )`;
  const { rows } = await sql<{ found: boolean }>`
    select exists (
      select from (select distinct symbol from ${sql.table(STAGING)}) staged
      where ${series('daily')} and not ${series('monthly')}
    ) as found
  `.execute(em.getKysely());
  return rows[0]!.found;
}

const PAGE_ROWS = 5_000;

async function registerInstruments(em: Em, datasetId: number): Promise<void> {
  const database = em.getKysely();
  for (;;) {
    const { rows } = await sql<{ symbol: string }>`
      select distinct symbol from ${sql.table(STAGING)} staged
      where not exists (
        select from instrument known where known.dataset_id = ${datasetId} and known.symbol = staged.symbol
      )
      order by symbol limit ${PAGE_ROWS}
    `.execute(database);
    if (rows.length === 0) return;
    const symbols = rows.map((row) => row.symbol);
    const uids = symbols.map(() => newUid(prefixes.instrument));
    await sql`
      insert into instrument (dataset_id, symbol, uid)
      select ${datasetId}, symbol, uid from unnest(${symbols}::text[], ${uids}::text[]) n (symbol, uid)
    `.execute(database);
  }
}
