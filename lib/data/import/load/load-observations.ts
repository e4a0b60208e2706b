import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { utcDate } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { hasRepeatedKeys, rejectDuplicates, removeDuplicates } from './duplicates.ts';
import type { Frequency, Load, Loaded } from './import-request.ts';
import type { KeyOrder } from './key-order.ts';
import { mergeStaged } from './merge.ts';
import type { ObservationKind, StagedRow } from '../kinds/observation-kind.ts';
import { RejectsFile } from './rejects-file.ts';
import { RowReader } from '../readers/row-reader.ts';
import { stageRows } from './staging.ts';

/** A function for one kind of file. It is called after the rows are staged and before they are merged. */
export type Prepare = (reader: RowReader<StagedRow>, order: KeyOrder) => Promise<{ frequency?: Frequency }>;

/** Stages the whole file, decides whether to refuse it, and otherwise merges it. */
export async function loadObservations(
  em: Em,
  load: Load,
  kind: ObservationKind,
  prepare: Prepare = async () => ({}),
): Promise<Loaded> {
  const rejects =
    load.skipBad && load.rejectsPath !== undefined ? new RejectsFile(load.rejectsPath) : undefined;
  try {
    const hash = createHash('sha256');
    const reader = new RowReader<StagedRow>({
      path: load.path,
      rules: kind.columns,
      mapping: load.mapping,
      parser: (columns) => kind.parser(columns, { now: load.now, today: utcDate(load.now) }),
      rejects,
      hash,
      onProgress: load.onProgress,
    });
    const order = await stageRows(em, kind, reader);
    const repeatedKeys = !order.isAscending && (await hasRepeatedKeys(em, kind.keys));
    const duplicates = repeatedKeys
      ? await removeDuplicates(em, kind.keys)
      : { lines: 0, rows: 0, first: [] };
    reader.faults.merge(duplicates.first, duplicates.lines);
    const rejected = reader.rejected + duplicates.rows;
    if (rejected > 0 && (!load.skipBad || rejected === reader.read)) throw reader.faults.refusal();
    if (rejects && duplicates.rows > 0) await rejectDuplicates(em, load.path, rejects);
    const { frequency } = await prepare(reader, order);
    const counts = await mergeStaged(em, {
      kind,
      datasetId: load.datasetId,
      revision: load.revision,
      frequency,
      stated: kind.values.filter((name) => kind.statesAllValues || reader.columns!.at.has(name)),
      unstatedBasis: load.knownAt === 'now' ? 'imported' : 'assumed',
      now: load.now,
      isAscending: order.isAscending,
      hasRepeatedKeys: repeatedKeys,
    });
    await noteCoverage(em, load.datasetId, order);
    await rejects?.close();
    return {
      hashes: { content: hash.digest('hex'), versions: null },
      frequency,
      rejectsPath: rejects?.rows ? rejects.path : undefined,
      rows: { read: reader.read, rejected, ...counts, unchanged: counts.unchanged + reader.silent },
    };
  } catch (error) {
    await rejects?.discard();
    throw error;
  }
}

/**
 * Stores the range of observed days with the dataset, because every submission of a run without a date reads the newest
 * day.
 */
async function noteCoverage(em: Em, datasetId: number, { first, last }: KeyOrder): Promise<void> {
  await sql`
    update dataset
    set first_observed_on = least(first_observed_on, ${first}::date),
      last_observed_on = greatest(last_observed_on, ${last}::date)
    where id = ${datasetId}
  `.execute(em.getKysely());
}
