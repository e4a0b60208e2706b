import { invalid, Problem, type Fault } from '#lib/core/problem.ts';
import { daysBetween, isDate } from '#lib/core/date.ts';
import type { Static } from 'typebox';
import type { Em } from '#lib/database/base.ts';
import { isNumeric } from '#lib/data/numeric-columns.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { findLqms, type LqmInVersion } from '#lib/models/registry/lqm.query.ts';
import {
  PREDICTION_LIMITS,
  type PredictionModelInput,
  type PredictionRunInput,
  type PredictionRunRequest,
} from './prediction-runs.schema.ts';

/** Resolves a prediction: checks the rows, and pins the serving version and the content of the dataset. */
export async function predictionInput(
  em: Em,
  { model, version, input }: Static<typeof PredictionRunRequest>,
): Promise<{ input: PredictionRunInput }> {
  const found = await servingVersion(em, model, version === undefined ? undefined : String(version));
  const { trainingUid, checkpointHash, definition } = found;
  if (trainingUid === null || checkpointHash === null)
    throw new Problem('no_checkpoint', 'The model has no sealed training. Train it first.');
  const { target, horizon } = definition.prediction!;
  const columns = definition.columns.map(({ name }) => name);
  return {
    input: {
      model_key: found.key,
      model_uid: found.modelUid,
      version_uid: found.versionUid,
      version: found.version,
      content_hash: found.contentHash,
      training_uid: trainingUid,
      checkpoint_hash: checkpointHash,
      target,
      horizon,
      dataset: await pinnedRows(em, input, columns),
      rows: input.rows ?? null,
      as_of: input.as_of ?? null,
      latest: input.latest ?? 1,
    },
  };
}

/** Returns the serving version. Throws if there is none, or if the caller relies on another version. */
async function servingVersion(em: Em, model: string, relied: string | undefined): Promise<LqmInVersion> {
  const versions = await findLqms(em, { model });
  const serving = versions.find(({ serves, state }) => serves && state === 'approved');
  const wanted = relied === undefined ? serving : versions.find(({ version }) => String(version) === relied);
  if (relied !== undefined && !wanted) throw new Problem('not_found', `The model has no version ${relied}.`);
  if (!wanted) throw new Problem('model_not_approved', 'No approved version of the model is in use.');
  if (wanted.state !== 'approved' && wanted.state !== 'retired')
    throw new Problem('model_not_approved', `Version ${wanted.version} is ${wanted.state}, not approved.`);
  if (wanted.versionUid === serving?.versionUid) return wanted;
  const members = serving ? { approved_version: serving.version } : {};
  throw new Problem('model_superseded', `Version ${wanted.version} is not in use.`, { members });
}

async function pinnedRows(em: Em, input: PredictionModelInput, columns: readonly string[]) {
  const faults = rowFaults(input, columns);
  if (faults.length > 0) throw invalid(faults);
  if (input.dataset_id === undefined) return null;
  const found = await findNumericDataset(em, input.dataset_id);
  const refuse = (code: string, message: string): never => {
    throw invalid([fault('/dataset_id', code, message)]);
  };
  if (!found) return refuse('dataset_unknown', 'the workspace has no numeric dataset with this id');
  const known = new Set(found.columns.filter(isNumeric).map(({ name }) => name));
  const missing = columns.filter((name) => !known.has(name));
  if (!found.hasDates) missing.unshift('date');
  if (missing.length > 0)
    return refuse('columns_missing', `the dataset has no column ${missing.slice(0, 10).join(', ')}`);
  const most = PREDICTION_LIMITS.datasetRows;
  if (found.rowCount > most) return refuse('too_large', `has ${found.rowCount} rows; at most ${most}`);
  const { id, revision, contentHash: content_hash } = found;
  return { id, revision, content_hash };
}

/** Returns the faults of the rows of a request. The columns are those of the model. */
export function rowFaults(
  { dataset_id: dataset, rows }: PredictionModelInput,
  columns: readonly string[],
): Fault[] {
  if (dataset === undefined && rows === undefined)
    return [fault('/dataset_id', 'required', 'is required without rows')];
  if (rows === undefined) return [];
  if (dataset !== undefined) return [fault('/rows', 'excluded', 'cannot be combined with a dataset')];
  const wanted = new Set(columns);
  return rows.flatMap(({ date, values }, at): Fault[] => {
    const pointer = `/rows/${at}`;
    if (!isDate(date)) return [fault(`${pointer}/date`, 'date', 'must be a date')];
    const earlier = rows[at - 1]?.date;
    if (earlier !== undefined && isDate(earlier) && daysBetween(earlier, date) <= 0)
      return [fault(`${pointer}/date`, 'order', `must be after ${earlier}, the day of the row before`)];
    const missing = columns.filter((name) => !Object.hasOwn(values, name));
    if (missing.length > 0)
      return [fault(`${pointer}/values`, 'columns_missing', `lacks ${missing.slice(0, 10).join(', ')}`)];
    const surplus = Object.keys(values).find((name) => !wanted.has(name));
    if (surplus === undefined) return [];
    return [fault(`${pointer}/values`, 'column_unknown', `the model has no column ${surplus}`)];
  });
}

function fault(pointer: string, code: string, message: string): Fault {
  return { pointer: `/input${pointer}`, in: 'body', code, message };
}
