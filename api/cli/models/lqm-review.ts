import type { Command } from 'commander';
import { listRetrainingRequests } from '#lib/models/training/model-history.query.ts';
import type { RetrainingRequest } from '#lib/models/training/retraining-request.entity.ts';
import { reviewRetraining } from '#lib/models/training/review-retraining.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { dispatch } from '#lib/pipeline/queues.ts';
import { asOperator } from '../shell/operator.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { governBy, provenPerson } from '../shell/govern.ts';
import { listInPlace } from '../shell/list.ts';
import { wholeNumber } from '../shell/whole-number.ts';

type Event = 'approve' | 'reject';
type ReviewOptions = OutputOptions & GovernedOptions & { reason: string; dataset?: string };

const descriptions: Record<Event, string> = {
  approve:
    'approve a retraining request, and create the next version on the assessed dataset or on another dataset',
  reject: 'reject a retraining request and keep the current model',
};

/** Registers the commands below `assay lqm review`. */
export function registerReview(group: Command): void {
  const review = group.command('review').description('retraining requests, made when drift is material');
  listInPlace(
    review.command('list').description('list the retraining requests, newest first'),
    listRetrainingRequests,
    present,
  );
  for (const event of ['approve', 'reject'] as const) {
    const command = withPerson(withJson(review.command(`${event} <request>`)))
      .description(descriptions[event])
      .requiredOption('--reason <text>', 'the reason, stored with the request')
      .action((uid: string, options: ReviewOptions) => decide(event, uid, options));
    if (event === 'approve')
      command.option('--dataset <id>', 'the dataset to train on (default: the assessed dataset)');
  }
}

async function decide(event: Event, uid: string, options: ReviewOptions): Promise<void> {
  const reason = checkText('--reason', options.reason);
  const { dataset: named } = options;
  const dataset = named === undefined ? undefined : wholeNumber('--dataset', named, [1, 2 ** 31]);
  const { request, started } = await asOperator(async (operator) => {
    const input = { uid, event, reason, dataset };
    const actor = provenPerson(operator, options);
    const { result } = await governBy(operator, reviewRetraining, input, actor);
    if (result.started) await dispatch(operator, result.started.admitted);
    return result;
  });
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
