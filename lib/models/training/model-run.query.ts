import type { Static } from 'typebox';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Problem } from '#lib/core/problem.ts';
import type { Em } from '#lib/database/base.ts';
import { findNumericDataset, snapshotsOf } from '#lib/data/numeric-dataset.write.ts';
import type { EvaluationInput, ModelRunInput } from '#lib/models/registry/model-run.schema.ts';
import { findLqms, type LqmInVersion } from '#lib/models/registry/lqm.query.ts';

/**
 * Returns a version of a model of the tenant; by default, the newest version. Throws a problem if the version does not
 * exist.
 */
export async function findVersion(em: Em, model: string, version?: number): Promise<LqmInVersion> {
  const [found] = isUid(model, prefixes.lqmModel) ? await findLqms(em, { model, version, limit: 1 }) : [];
  if (!found) throw new Problem('not_found', 'This numeric model or this version of it does not exist.');
  return found;
}

/** Returns the version if its checkpoint can still be replaced. Throws a problem otherwise. */
export function openVersion(found: LqmInVersion): LqmInVersion {
  if (found.state === 'approved' || found.state === 'retired')
    throw new Problem(
      'model_version_closed',
      `Version ${found.version} is ${found.state} and cannot change. Write a new version.`,
    );
  return found;
}

/**
 * Returns the training data of a version. Throws a problem if the dataset is no longer governed. Content that was
 * sealed by research needs no further approval: the worker checks the seals of this content.
 */
export async function trainingInput(em: Em, found: LqmInVersion): Promise<ModelRunInput> {
  return { ...(await fittedInput(em, found)), profile: 'columns' };
}

async function fittedInput(em: Em, found: LqmInVersion): Promise<ModelRunInput> {
  const { family, columns, dataset, regimes_max, prediction } = found.definition;
  const known = await findNumericDataset(em, dataset.id);
  const isSealed = known !== null && (await snapshotsOf(em, dataset)) !== null;
  if (!known?.governance.governed && !isSealed) {
    const reasons =
      known && !known.governance.governed
        ? known.governance.reasons.join(', ')
        : 'the content does not exist';
    throw new Problem('dataset_not_governed', `The dataset of the version is not governed: ${reasons}.`);
  }
  const { id, revision, content_hash } = dataset;
  return {
    model_uid: found.modelUid,
    version_uid: found.versionUid,
    version: found.version,
    content_hash: found.contentHash,
    family,
    factors: columns.map(({ name }) => name),
    dataset: { id, revision, content_hash },
    ...(prediction ? { prediction } : { regimes_max: regimes_max! }),
  };
}

export async function evaluationInput(
  em: Em,
  found: LqmInVersion,
  holdoutShare: number,
): Promise<Static<typeof EvaluationInput>> {
  const { trainingUid, checkpointHash } = found;
  if (trainingUid === null || checkpointHash === null)
    throw new Problem('no_checkpoint', `Version ${found.version} has no sealed training.`);
  const approved = await approvedRival(em, found);
  return {
    ...(await fittedInput(em, found)),
    training_uid: trainingUid,
    checkpoint_hash: checkpointHash,
    holdout_share: holdoutShare,
    ...(approved && { approved }),
  };
}

/**
 * Returns the newest approved version of the model, to compare the given version with it. Returns undefined unless the
 * approved version has the same target and horizon and uses only columns of the given version.
 */
async function approvedRival(em: Em, { modelUid: model, definition }: LqmInVersion) {
  if (!definition.prediction) return undefined;
  const [newest] = await findLqms(em, { model, state: 'approved', limit: 1 });
  if (!newest?.definition.prediction) return undefined;
  const { columns, prediction } = newest.definition;
  const { target, horizon } = definition.prediction;
  const known = new Set(definition.columns.map(({ name }) => name));
  const isSame = prediction.target === target && prediction.horizon === horizon;
  if (!isSame || !columns.every(({ name }) => known.has(name))) return undefined;
  const { version, versionUid: version_uid } = newest;
  return { version, version_uid, factors: columns.map(({ name }) => name), prediction };
}
