import { LockMode } from '@mikro-orm/core';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { writeVersion } from '#lib/modeling/new-version.repository.ts';
import type { RetrainingRequest } from '#lib/modeling/retraining-request.entity.ts';
import { submitModelRun } from '#lib/modeling/start-run.command.ts';
import type { Submitted } from '#lib/pipeline/submit-run.command.ts';
import { trainingsRun } from '#lib/modeling/trainings.run.ts';
import { Run } from '#lib/pipeline/run.entity.ts';
import { LqmModel, LqmVersion } from '#lib/registry/lqm.entity.ts';
import { trainableDataset } from './lqm-definition.ts';
import { record } from './record.ts';
import type { Place } from './on-batch.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { wholeNumber } from './whole-number.ts';

/**
 * Writes the next version of the model, which is as the one that drifted but of other data, and starts its training. Who
 * approves the request is its author, and so does not approve the version.
 */
export async function retrain(
  em: Em,
  request: RetrainingRequest,
  { place, by, dataset: named }: { place: Place; by: string; dataset: string | undefined },
): Promise<Submitted & { version: number }> {
  const model = await em.findOneOrFail(
    LqmModel,
    { uid: request.modelUid },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  const drifted = await em.findOneOrFail(LqmVersion, { uid: request.versionUid });
  const id = named === undefined ? request.datasetId : wholeNumber('--dataset', named, [1, 2 ** 31]);
  const { columns } = drifted.definition;
  const dataset = await trainableDataset(em, id);
  if (named === undefined && dataset.revision !== request.datasetRevision)
    throw new Refusal(
      'dataset_changed',
      'the dataset has other content than was assessed: name one by --dataset',
    );
  const units = new Map(dataset.columns.map(({ name, unit }) => [name, unit]));
  const other = columns.find(({ name, unit }) => units.get(name) !== unit);
  if (other) throw new Refusal('columns_differ', `the dataset has no column ${other.name} in ${other.unit}`);
  const definition = {
    ...drifted.definition,
    dataset: { id, uid: dataset.uid, revision: dataset.revision, content_hash: dataset.contentHash },
  };
  const written = await writeVersion(em, model, { definition, by, now: systemClock.now() });
  const { applicationUid } = await em.findOneOrFail(Run, { uid: request.assessmentUid });
  const { submitted, entry } = await submitModelRun(
    em,
    trainingsRun,
    { model_uid: model.uid, version: written.version },
    { application: applicationUid, now: systemClock.now() },
  );
  await record(em, { ...entry, by, ...place });
  Object.assign(request, { trainedVersionUid: written.uid, trainingUid: submitted.uid });
  await em.flush();
  return { ...submitted, version: written.version };
}
