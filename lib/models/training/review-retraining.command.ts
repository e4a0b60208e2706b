import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.write.ts';
import { defineCommand, personOf, type Entry, type Written } from '#lib/governance/command.ts';
import { Run } from '#lib/pipeline/run.entity.ts';
import type { Submitted } from '#lib/pipeline/submit-run.command.ts';
import { LqmModel, LqmVersion } from '#lib/models/registry/lqm.entity.ts';
import type { LqmDefinition } from '#lib/models/registry/lqm.ts';
import { writeVersion } from './new-version.write.ts';
import { decideRetrainingData, type RetrainingData, type RetrainingDataVerdict } from './retraining-data.ts';
import { RetrainingRequest } from './retraining-request.entity.ts';
import { decideRetraining, type ReviewVerdict } from './retraining-review.ts';
import { submitModelRun } from './start-run.command.ts';
import { trainingsRun } from './trainings.run.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';

type Input = {
  uid: string;
  event: 'approve' | 'reject';
  reason: string;
  /** Id of the dataset to train on. Default: the assessed dataset. */
  dataset?: number | undefined;
};

type Facts = { request: RetrainingRequest; data: RetrainingData | undefined };

type Allowed = { ok: true; next: 'approved' | 'rejected'; definition: LqmDefinition | undefined };
type Verdict = Allowed | Extract<ReviewVerdict | RetrainingDataVerdict, { ok: false }>;

type Result = {
  request: RetrainingRequest;
  /** The training that an approval has started; null after a rejection. */
  started: (Submitted & { version: number }) | null;
};

/**
 * Decides a request to retrain a model. An approval writes the next version of the model and starts its training. The
 * person who approves the request becomes the author of the new version, and therefore cannot approve that version.
 */
export const reviewRetraining = defineCommand<Input>()({
  find: (em, { uid }) => placeOfRecord(em, RetrainingRequest, uid),
  unknown: 'request_unknown',
  async lock(em, { uid, event }): Promise<RetrainingRequest> {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const request = await em.findOneOrFail(RetrainingRequest, { uid }, { lockMode });
    if (event === 'approve') await em.findOneOrFail(LqmModel, { uid: request.modelUid }, { lockMode });
    return request;
  },
  async facts(em, request, { event, dataset }, { place }): Promise<Facts> {
    if (event === 'reject') return { request, data: undefined };
    const { definition } = await em.findOneOrFail(LqmVersion, { uid: request.versionUid });
    const data = {
      environment: place.environment,
      definition,
      dataset: await findNumericDataset(em, dataset ?? request.datasetId),
      assessedRevision: dataset === undefined ? request.datasetRevision : undefined,
    };
    return { request, data };
  },
  decide({ request, data }, { event }, at): Verdict {
    const { state, authorUid: author, requesterUid: requester } = request;
    const review = decideRetraining({ state, author, requester }, event, personOf(at));
    if (!review.ok || !data) return review.ok ? { ...review, definition: undefined } : review;
    const decided = decideRetrainingData(data);
    return decided.ok ? { ...review, definition: decided.definition } : decided;
  },
  async write(em, { request }, { next, definition }, at): Promise<Written<Result>> {
    const { now } = at;
    const by = personOf(at);
    em.assign(request, { state: next, reviewedByUid: by, reviewedAt: now, reason: at.input.reason });
    if (!definition) return { result: { request, started: null } };
    const { started, entry } = await retrain(em, { request, definition, by, now });
    return { result: { request, started }, consequences: [entry] };
  },
  entry({ request }, verdict, { event, reason }) {
    if (!verdict.ok && 'detail' in verdict) return undefined;
    const { uid, modelUid: model_uid, sealHash: seal_hash } = request;
    return {
      op: event === 'approve' ? 'lqm.retraining_approved' : 'lqm.retraining_rejected',
      subject: { type: 'retraining_request', uid },
      details: { model_uid, seal_hash, reason },
    };
  },
  refusals: {
    request_unknown: 'The retraining request does not exist.',
    request_already_reviewed: 'The retraining request is already decided.',
    reviewer_is_author: 'The author of the model version cannot review the retraining request.',
    reviewer_is_requester:
      'The person accountable for the application that made the retraining request cannot review the request.',
  },
});

type Retraining = {
  request: RetrainingRequest;
  definition: LqmDefinition;
  by: string;
  now: Date;
};

async function retrain(
  em: Em,
  { request, definition, by, now }: Retraining,
): Promise<{ started: Submitted & { version: number }; entry: Entry }> {
  const model = await em.findOneOrFail(LqmModel, { uid: request.modelUid });
  const { uid, version } = await writeVersion(em, model, { definition, by, now });
  const { applicationUid: application } = await em.findOneOrFail(Run, { uid: request.assessmentUid });
  const training = { model_uid: model.uid, version };
  const { submitted, entry } = await submitModelRun(em, trainingsRun, training, { application, now });
  em.assign(request, { trainedVersionUid: uid, trainingUid: submitted.uid });
  return { started: { ...submitted, version }, entry };
}
