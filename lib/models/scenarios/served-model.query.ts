import { daysBetween } from '#lib/core/date.ts';
import { Problem, type Fault } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { isNumeric } from '#lib/data/numeric-columns.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { newestValues } from '#lib/data/numeric-values.query.ts';
import type { ScenarioInput } from './scenarios.schema.ts';
import type { Checkpoint } from '#lib/models/registry/checkpoint.schema.ts';
import { purposeOf, type LqmDefinition } from '#lib/models/registry/lqm.ts';
import { findLqms, servingLqm, type LqmInVersion } from '#lib/models/registry/lqm.query.ts';
import { storeContext } from './store-context.query.ts';

/** The codes of the refusals that concern the model or its current context. */
export const contextProblems = [
  'no_checkpoint',
  'context_missing',
  'context_stale',
  'context_unsynchronised',
] as const;

export type ServedModel = LqmInVersion & { trainingUid: string; checkpointHash: string };

/**
 * Returns the serving version of the tenant. Throws a problem if there is no serving version, or if the checkpoint of
 * the version is missing.
 */
export async function servedModel(em: Em): Promise<ServedModel> {
  const found = await servingLqm(em);
  if (!found || found.state !== 'approved')
    throw new Problem(
      'model_not_approved',
      'The workspace has no serving model that generates scenarios. Approve one with `assay lqm approve`.',
    );
  return withCheckpoint(found);
}

/**
 * Returns the newest approved version of the model with this key. Throws a problem if the model does not exist,
 * cannot generate samples or has no approved version. Also throws a problem if the version that the caller relies on
 * does not exist, is not approved, is retired or is superseded.
 */
export async function namedVersion(em: Em, key: string, relied?: number): Promise<ServedModel> {
  const versions = await findLqms(em, { key });
  if (versions[0] && purposeOf(versions[0].family) !== 'generative')
    throw new Problem(
      'model_not_generative',
      `${key} is of the family ${versions[0].family}, which predicts a target and cannot generate samples.`,
    );
  const wanted = relied === undefined ? undefined : versions.find(({ version }) => version === relied);
  if (versions.length === 0 || (relied !== undefined && !wanted))
    throw new Problem(
      'not_found',
      `The numeric model ${key}${relied ? ` in version ${relied}` : ''} does not exist.`,
    );
  const newest = versions.find(({ state }) => state === 'approved');
  const label = `Version ${relied} of ${key}`;
  if (wanted?.state === 'retired')
    throw new Problem('model_superseded', `${label} is retired.`, { members: supersededBy(newest) });
  if (wanted && wanted.state !== 'approved')
    throw new Problem('model_not_approved', `${label} is ${wanted.state}, not approved.`);
  if (!newest)
    throw new Problem(
      'model_not_approved',
      `No version of ${key} is approved. Approve one with assay lqm approve.`,
    );
  if (wanted && wanted.version !== newest.version)
    throw new Problem('model_superseded', `${label} has a newer approved version, ${newest.version}.`, {
      members: supersededBy(newest),
    });
  return withCheckpoint(newest);
}

function supersededBy(newest: LqmInVersion | undefined) {
  return newest ? { approved_version: newest.version } : {};
}

function withCheckpoint(found: LqmInVersion): ServedModel {
  const { trainingUid, checkpointHash } = found;
  if (trainingUid === null || checkpointHash === null)
    throw new Problem('no_checkpoint', 'The model has no sealed training. Train it first.');
  return { ...found, trainingUid, checkpointHash };
}

/**
 * Returns the newest known month of the factors: from the feature store if the factors are entities of a feature,
 * otherwise from the newest content of the model's dataset. Throws a problem if the context is missing or too old, or
 * if its values are from different times.
 */
export function servedContext(
  em: Em,
  { definition }: ServedModel,
  today: string,
): Promise<ScenarioInput['context']> {
  const { store } = definition;
  return store ? storeContext(em, definition, store, today) : datasetContext(em, definition, today);
}

async function datasetContext(
  em: Em,
  definition: LqmDefinition,
  today: string,
): Promise<ScenarioInput['context']> {
  const { columns, dataset, max_age_days } = definition;
  const factors = columns.map(({ name }) => name);
  const known = await findNumericDataset(em, dataset.id);
  if (!known?.governance.governed && !known?.snapshots)
    throw new Problem(
      'context_missing',
      'The dataset of the model is no longer governed, so its newest month cannot be used.',
      { members: { factors } },
    );
  const present = new Set(known.columns.filter(isNumeric).map(({ name }) => name));
  const gone = factors.filter((factor) => !present.has(factor));
  if (gone.length)
    throw new Problem('context_unsynchronised', `The dataset no longer has the column ${gone[0]}.`, {
      members: { factors: gone },
    });
  const newest = await newestValues(em, { id: dataset.id, revision: known.revision }, factors);
  if (!newest)
    throw new Problem(
      'context_missing',
      'No row of the dataset has a date, so the dataset has no newest month.',
      { members: { factors } },
    );
  const { day: last, values } = newest;
  const unknown = factors.filter((_, at) => Number.isNaN(values[at]));
  if (unknown.length)
    throw new Problem('context_unsynchronised', `${unknown[0]} has no value for ${last}, the newest month.`, {
      members: { factors: unknown },
    });
  const age = Math.max(0, daysBetween(last, today));
  if (age > max_age_days) {
    const detail = `The newest month ends on ${last}, ${age} days ago; the model allows ${max_age_days} days.`;
    throw new Problem('context_stale', detail, { members: { factors, observed: age, needed: max_age_days } });
  }
  return { last_month: last, as_of: today, age_days: age, factors, values };
}

/** Returns the members that identify a model. The input of every run on the model contains these members. */
export function namedModel({
  modelUid,
  versionUid,
  version,
  contentHash,
  trainingUid,
  checkpointHash,
}: ServedModel) {
  return {
    model_uid: modelUid,
    version_uid: versionUid,
    version,
    content_hash: contentHash,
    training_uid: trainingUid,
    checkpoint_hash: checkpointHash,
  };
}

/** Returns a fault if a model has no regime of this name. */
export function regimeFaults(regime: string, { regimes }: Checkpoint): Fault[] {
  const known = [...regimes.map(({ name }) => name), 'current', 'ergodic'];
  if (known.includes(regime)) return [];
  const message = `must be one of ${known.join(', ')}, the regimes of the model`;
  return [{ pointer: '/regime', in: 'body', code: 'unknown_regime', message }];
}
