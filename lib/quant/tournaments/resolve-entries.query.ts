import { tenantOf, type Em } from '#lib/database/base.ts';
import { isNumeric } from '#lib/data/numeric-columns.ts';
import { findNumericDataset, type NumericDataset } from '#lib/data/numeric-dataset.write.ts';
import type { Fault } from '#lib/core/problem.ts';
import { FORECAST_MODEL } from '#lib/forecasting/engine/forecast-models.ts';
import { findLqms } from '#lib/models/registry/lqm.query.ts';
import { decideTrainable } from '#lib/models/training/trainable-dataset.ts';
import { fitOf } from './fit-entry.schema.ts';
import { nameOf } from './tournament-faults.ts';
import type { ResolvedEntry, TournamentInput } from './tournament-input.schema.ts';
import { TOURNAMENT_LIMITS } from './tournament-limits.ts';
import type { DatasetTask, RequestedEntry, TournamentRequest } from './tournament-request.schema.ts';

type Found<T> = { ok: true; value: T } | { ok: false; fault: Fault };

/** Finds the dataset of a task. Returns a fault if the workspace has no such dataset that models may be fitted to. */
export async function taskDataset(em: Em, { id, target }: DatasetTask): Promise<Found<NumericDataset>> {
  const found = decideTrainable(await findNumericDataset(em, id), tenantOf(em).environment);
  if (!found.ok) return refused('/task/id', found.code, found.detail);
  const { dataset } = found;
  if (!numericNames(dataset).includes(target))
    return refused('/task/target', 'column_unknown', `the dataset has no numeric column ${target}`);
  if (dataset.rowCount > TOURNAMENT_LIMITS.rows)
    return refused(
      '/task/id',
      'too_large',
      `has ${dataset.rowCount} rows; at most ${TOURNAMENT_LIMITS.rows}`,
    );
  return { ok: true, value: dataset };
}

/** Resolves an entry: fills in its defaults and pins the model version or the dataset that it names. */
export async function resolveEntry(
  em: Em,
  entry: Exclude<RequestedEntry, { strategy: unknown }>,
  { request, dataset, at }: { request: TournamentRequest; dataset: NumericDataset | null; at: number },
): Promise<Found<ResolvedEntry>> {
  const name = nameOf(entry);
  const pointer = `/entries/${at}`;
  const plain = (members: Omit<ResolvedEntry, 'name'>) => ({
    ok: true as const,
    value: { name, ...members },
  });
  if ('combination' in entry)
    return plain({ kind: 'combination', method: null, forecast_model: FORECAST_MODEL });
  if ('statistical' in entry) return plain({ kind: 'statistical', method: entry.statistical });
  if ('predictions' in entry) {
    const found = await predictionsDataset(em, entry.predictions, `${pointer}/predictions`);
    return found.ok ? plain({ kind: 'predictions', method: null, dataset: found.value }) : found;
  }
  const { target } = request.task as DatasetTask;
  const { horizon } = request;
  if ('fit' in entry) {
    const factors = entry.factors ?? numericNames(dataset!);
    const bad = columnFault(dataset!, factors, `${pointer}/factors`);
    const prediction = { target, horizon, fit: fitOf(entry.fit) };
    return bad ?? plain({ kind: 'fit', method: null, prediction, factors: withTarget(factors, target) });
  }
  const [version] = await findLqms(em, { key: entry.model, version: entry.version, limit: 1 });
  if (!version)
    return refused(`${pointer}/model`, 'model_unknown', 'the workspace has no such model or version');
  const { prediction, columns } = version.definition;
  if (!prediction || prediction.target !== target || prediction.horizon !== horizon)
    return refused(`${pointer}/model`, 'task_differs', `does not predict ${target} ${horizon} rows ahead`);
  const factors = columns.map((column) => column.name);
  const bad = columnFault(dataset!, factors, `${pointer}/model`);
  if (bad) return bad;
  const { modelUid: model_uid, versionUid: version_uid, contentHash: content_hash } = version;
  const { trainingUid: training_uid, checkpointHash: checkpoint_hash } = version;
  if (entry.checkpoint && (training_uid === null || checkpoint_hash === null))
    return refused(`${pointer}/checkpoint`, 'no_checkpoint', 'the version has no checkpoint');
  const checkpoint = entry.checkpoint
    ? { training_uid: training_uid!, checkpoint_hash: checkpoint_hash! }
    : null;
  const pinned = { model_uid, version_uid, version: version.version, content_hash, checkpoint };
  return plain({ kind: 'model', method: null, prediction, factors, version: pinned });
}

/** Returns the content of a dataset that the task and its entries read. */
export function pinnedDataset(
  { id, revision, contentHash: content_hash }: NumericDataset,
  target: string,
  entries: readonly ResolvedEntry[],
): TournamentInput['dataset'] {
  const columns = [...new Set([target, ...entries.flatMap(({ factors = [] }) => factors)])].sort();
  return { id, revision, content_hash, target, columns };
}

async function predictionsDataset(em: Em, id: number, pointer: string) {
  const found = await findNumericDataset(em, id);
  if (!found) return refused(pointer, 'dataset_unknown', 'the workspace has no numeric dataset with this id');
  const missing = ['prediction', 'known_at'].filter((name) => !numericNames(found).includes(name));
  if (!found.hasDates) missing.unshift('date');
  if (missing.length > 0)
    return refused(pointer, 'columns_missing', `the dataset has no column ${missing.join(', ')}`);
  if (found.rowCount > TOURNAMENT_LIMITS.rows)
    return refused(pointer, 'too_large', `has ${found.rowCount} rows; at most ${TOURNAMENT_LIMITS.rows}`);
  const { revision, contentHash: content_hash } = found;
  return { ok: true as const, value: { id, revision, content_hash } };
}

function columnFault(dataset: NumericDataset, names: readonly string[], pointer: string) {
  const known = new Set(numericNames(dataset));
  const unknown = names.find((name) => !known.has(name));
  if (unknown !== undefined)
    return refused(pointer, 'column_unknown', `the dataset has no numeric column ${unknown}`);
  const most = TOURNAMENT_LIMITS.columns;
  return names.length > most ? refused(pointer, 'too_many_factors', `at most ${most} columns`) : undefined;
}

function withTarget(factors: readonly string[], target: string): string[] {
  return [...new Set([...factors, target])].sort();
}

function numericNames({ columns }: NumericDataset): string[] {
  return columns.filter(isNumeric).map(({ name }) => name);
}

function refused(pointer: string, code: string, message: string) {
  return { ok: false as const, fault: { pointer, in: 'body' as const, code, message } };
}
