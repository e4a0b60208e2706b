import { LockMode } from '@mikro-orm/core';
import type { InputOf } from '#lib/core/job.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { findNumericDataset } from '#lib/data/numeric-dataset.repository.ts';
import { defineCommand, personOf } from '#lib/governance/command.ts';
import { Run } from '#lib/pipeline/run.entity.ts';
import { LqmModel, LqmVersion } from '#lib/registry/lqm.entity.ts';
import type { LqmDefinition } from '#lib/registry/lqm.ts';
import { findVersion, trainingInput } from './model-run.repository.ts';
import { writeVersion } from './new-version.repository.ts';
import { decideRetrainingData, type RetrainingData, type RetrainingDataVerdict } from './retraining-data.ts';
import { RetrainingRequest } from './retraining-request.entity.ts';
import { decideRetraining, type ReviewVerdict } from './retraining-review.ts';
import { trainingsJob } from './trainings.job.ts';

type Input = {
  uid: string;
  event: 'approve' | 'reject';
  reason: string;
  /** What to train on; the dataset that was assessed when left out. */
  dataset?: number | undefined;
};

/** Writes the record of a training and its audit entry, in the transaction of the review. */
export type StartTraining<Started> = (
  em: Em,
  job: typeof trainingsJob,
  run: {
    place: Tenant;
    by: string;
    op: 'lqm.training_started';
    application: string;
    input: InputOf<typeof trainingsJob>;
  },
) => Promise<Started>;

type Facts = { request: RetrainingRequest; data: RetrainingData | undefined };

type Allowed = { ok: true; next: 'approved' | 'rejected'; definition: LqmDefinition | undefined };
type Verdict = Allowed | Extract<ReviewVerdict | RetrainingDataVerdict, { ok: false }>;

type Result<Started> = {
  request: RetrainingRequest;
  started: (Started & { version: number }) | null;
};

/**
 * Decides about a request to train a model again. An approval writes the next version of the model and starts its
 * training. The person who approves the request is the author of that version, and so cannot approve it.
 */
export function reviewRetraining<Started extends { uid: string }>(start: StartTraining<Started>) {
  return defineCommand<Input>()({
    async find(em, { uid }) {
      const found = await em.findOne(RetrainingRequest, { uid }, { filters: false });
      return found ? { workspace: found.workspaceUid, environment: found.environment } : undefined;
    },
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
    async write(em, { request }, { next, definition }, at) {
      const { place, now } = at;
      const by = personOf(at);
      em.assign(request, { state: next, reviewedByUid: by, reviewedAt: now, reason: at.input.reason });
      const result: Result<Started> = { request, started: null };
      const follow = async () => {
        result.started = await retrain(em, start, { request, definition: definition!, place, by, now });
      };
      return { result, ...(definition && { follow }) };
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
      request_already_reviewed: 'The request is already decided.',
      reviewer_is_author: 'The author of the version cannot review the request.',
      reviewer_is_requester:
        'The person accountable for the application that made the request cannot review it.',
    },
  });
}

type Retraining = {
  request: RetrainingRequest;
  definition: LqmDefinition;
  place: Tenant;
  by: string;
  now: Date;
};

async function retrain<Started extends { uid: string }>(
  em: Em,
  start: StartTraining<Started>,
  { request, definition, place, by, now }: Retraining,
): Promise<Started & { version: number }> {
  const model = await em.findOneOrFail(LqmModel, { uid: request.modelUid });
  const { uid, version } = await writeVersion(em, model, { definition, by, now });
  const { applicationUid: application } = await em.findOneOrFail(Run, { uid: request.assessmentUid });
  const input = await trainingInput(em, await findVersion(em, model.uid, version));
  const op = 'lqm.training_started';
  const started = await start(em, trainingsJob, { place, by, op, application, input });
  em.assign(request, { trainedVersionUid: uid, trainingUid: started.uid });
  await em.flush();
  return { ...started, version };
}
