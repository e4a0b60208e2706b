import { LockMode } from '@mikro-orm/core';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/orm.ts';
import { RetrainingRequest } from '#lib/modeling/retraining-request.entity.ts';
import { decideRetraining, type ReviewVerdict } from '#lib/modeling/retraining-review.ts';
import { LqmModel } from '#lib/registry/lqm.entity.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { onRecordAs, type Place } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, limitOption, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from './refusal.ts';

type Event = 'approve' | 'reject';
type ReviewOptions = OutputOptions & GovernedOptions & { reason: string };

const descriptions: Record<Event, string> = {
  approve: 'agree that the model is trained anew; it does not train by itself',
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
  for (const event of ['approve', 'reject'] as const)
    withPerson(withJson(review.command(`${event} <request>`)))
      .description(descriptions[event])
      .requiredOption('--reason <text>', 'why; it is kept with the request')
      .action((uid: string, options: ReviewOptions) => decide(event, uid, options));
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
  const decided = await onRecordAs(about, options, async (em, { uid: by }) => {
    const request = await em.findOneOrFail(
      RetrainingRequest,
      { uid },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
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
    const { key, name } = await em.findOneOrFail(LqmModel, { uid: request.modelUid });
    return { verdict, request, model: { key, name } };
  });
  const { verdict, request, model } = decided;
  if (!verdict.ok) throw new Refusal(verdict.code, refusals[verdict.code]);
  const next =
    `write, train and evaluate a new version: assay lqm create --workspace ${request.workspaceUid} ` +
    `--environment ${request.environment} --key ${model.key} --name '${model.name}' --dataset <id>`;
  print({ ...present(request), next: verdict.next === 'approved' ? next : null }, options);
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
  };
}
