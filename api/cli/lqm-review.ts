import { LockMode } from '@mikro-orm/core';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { RetrainingRequest } from '#lib/modeling/retraining-request.entity.ts';
import { decideRetraining, type ReviewVerdict } from '#lib/modeling/retraining-review.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { retrain } from './lqm-retrain.ts';
import { onRecord, type Place } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, limitOption, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { ofTenant, record } from './record.ts';
import { dispatch } from './queues.ts';
import { Refusal } from '#lib/core/refusal.ts';

type Event = 'approve' | 'reject';
type ReviewOptions = OutputOptions & GovernedOptions & { reason: string; dataset?: string };

const descriptions: Record<Event, string> = {
  approve: 'train the model anew: the next version, on the dataset that has drifted or another one',
  reject: 'keep the model as it is',
};

const refusals: Record<Extract<ReviewVerdict, { ok: false }>['code'], string> = {
  request_already_reviewed: 'it was decided before',
  reviewer_is_author: 'who wrote the version does not review it',
  reviewer_is_requester: 'who answers for the application that asked does not review it',
};

/** The commands below `assay lqm review`. */
export function registerReview(group: Command): void {
  const review = group
    .command('review')
    .description('requests to train a model anew, made by material drift');
  withJson(review.command('list'))
    .description('list the requests, newest first')
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .addOption(limitOption(50))
    .action(list);
  for (const event of ['approve', 'reject'] as const) {
    const command = withPerson(withJson(review.command(`${event} <request>`)))
      .description(descriptions[event])
      .requiredOption('--reason <text>', 'why; it is kept with the request')
      .action((uid: string, options: ReviewOptions) => decide(event, uid, options));
    if (event === 'approve')
      command.option('--dataset <id>', 'what to train on (default: the dataset that was assessed)');
  }
}

async function list(options: OutputOptions & Place & { limit: number }): Promise<void> {
  const { workspace, environment, limit } = options;
  const found = await asOperator((operator) =>
    operator.inWorkspace(
      workspace,
      async (em) => {
        await findWorkspace(em, workspace);
        return em.find(RetrainingRequest, {}, { orderBy: { uid: 'desc' }, limit });
      },
      environment,
    ),
  );
  printRows(found.map(present), options);
}

async function decide(event: Event, uid: string, options: ReviewOptions): Promise<void> {
  const reason = checkText('--reason', options.reason);
  const about = {
    find: (em: Em) => em.findOne(RetrainingRequest, { uid }, { filters: false }),
    code: 'request_unknown',
    what: 'retraining request',
  };
  const { verdict, request, started } = await asOperator(async (operator) => {
    const decided = await onRecord(operator, about, options, async (em, { uid: by }, place) => {
      const lockMode = LockMode.PESSIMISTIC_WRITE;
      const request = await em.findOneOrFail(RetrainingRequest, { uid }, { lockMode });
      const { state, authorUid: author, requesterUid: requester } = request;
      const verdict = decideRetraining({ state, author, requester }, event, by);
      if (verdict.ok)
        em.assign(request, {
          state: verdict.next,
          reviewedByUid: by,
          reviewedAt: systemClock.now(),
          reason,
        });
      await record(em, {
        op: event === 'approve' ? 'lqm.retraining_approved' : 'lqm.retraining_rejected',
        by,
        ...ofTenant('retraining_request', request),
        ...(verdict.ok ? {} : { refused: verdict.code }),
        details: { model_uid: request.modelUid, seal_hash: request.sealHash, reason },
      });
      const started =
        verdict.ok && verdict.next === 'approved'
          ? await retrain(em, request, { place, by, dataset: options.dataset })
          : null;
      return { verdict, request, started };
    });
    if (decided.started) await dispatch(operator, decided.started.admitted);
    return decided;
  });
  if (!verdict.ok) throw new Refusal(verdict.code, refusals[verdict.code]);
  print({ ...present(request), version: started?.version ?? null }, options);
}

function present(request: RetrainingRequest) {
  return {
    uid: request.uid,
    state: request.state,
    model_uid: request.modelUid,
    version_uid: request.versionUid,
    checkpoint_hash: request.checkpointHash,
    dataset_id: request.datasetId,
    assessment_uid: request.assessmentUid,
    seal_hash: request.sealHash,
    requested_at: request.requestedAt.toISOString(),
    reviewed_by: request.reviewedByUid ?? null,
    reason: request.reason ?? null,
    trained_version_uid: request.trainedVersionUid ?? null,
    training_uid: request.trainingUid ?? null,
  };
}
