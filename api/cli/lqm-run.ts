import { setTimeout as delay } from 'node:timers/promises';
import { Option, type Command } from 'commander';
import type { AuditEvent } from '#lib/audit/entry.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { InputOf, RunKind } from '#lib/core/run.ts';
import { newUid } from '#lib/core/id.ts';
import { createLog } from '#lib/core/log.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em } from '#lib/database/base.ts';
import { evaluationsRun } from '#lib/modeling/evaluations.run.ts';
import {
  evaluationInput,
  findVersion,
  openVersion,
  trainingInput,
} from '#lib/modeling/model-run.repository.ts';
import { HOLDOUT_SHARE } from '#lib/modeling/model-run-request.schema.ts';
import { trainingsRun } from '#lib/modeling/trainings.run.ts';
import { admitRuns, type Admitted } from '#lib/pipeline/admission.repository.ts';
import { handOver } from '#lib/pipeline/queue.ts';
import { createRun, findRun, type FoundRun } from '#lib/pipeline/run.repository.ts';
import { isTerminal } from '#lib/pipeline/run.ts';
import { LqmModel } from '#lib/registry/lqm.entity.ts';
import { Application } from '#lib/workspace/application.entity.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { onRecord, type Place } from './on-batch.ts';
import { asOperator, type Operator } from './operator.ts';
import { withJson } from './options.ts';
import { print, tell, type OutputOptions } from './output.ts';
import { withQueues } from './queues.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { wholeNumber } from './whole-number.ts';

const PAUSE_MS = 200;
const WAIT_S = 600;
const SCOPE = 'lqm:build:run';

type RunOptions = OutputOptions &
  GovernedOptions & { version?: number; app?: string; wait: number; holdoutShare?: number };

/** `assay lqm train` and `assay lqm evaluate`: the runs that the API submits, asked for by a person. */
export function registerRuns(group: Command): void {
  submitting(group.command('train <model>'))
    .description('train a version on the dataset that it names, and print what the sealed training found')
    .action((uid: string, options: RunOptions) => train(uid, options));
  submitting(group.command('evaluate <model>'))
    .description(
      'evaluate the checkpoint of a version on rows that it was not fitted on, and print the verdict',
    )
    .addOption(
      new Option('--holdout-share <share>', 'the last rows that are held out, 0.1 to 0.5')
        .argParser((text) => share(text))
        .default(HOLDOUT_SHARE),
    )
    .action((uid: string, options: RunOptions) => evaluate(uid, options));
}

function submitting(command: Command): Command {
  return withPerson(withJson(command))
    .addOption(
      new Option('--version <n>', 'default: the newest').argParser((text) =>
        wholeNumber('--version', text, [1, 2 ** 31 - 1]),
      ),
    )
    .option('--app <application>', `in whose name it runs (default: the oldest with the scope ${SCOPE})`)
    .addOption(
      new Option('--wait <seconds>', 'how long to wait for its end, 0 to 3600')
        .argParser((text) => wholeNumber('--wait', text, [0, 3_600]))
        .default(WAIT_S),
    );
}

function train(uid: string, options: RunOptions): Promise<void> {
  return submit(trainingsRun, 'lqm.training_started', uid, options, async (em) =>
    trainingInput(em, openVersion(await findVersion(em, uid, options.version))),
  );
}

function evaluate(uid: string, options: RunOptions): Promise<void> {
  return submit(evaluationsRun, 'lqm.evaluation_started', uid, options, async (em) =>
    evaluationInput(em, openVersion(await findVersion(em, uid, options.version)), options.holdoutShare!),
  );
}

async function submit<J extends typeof trainingsRun | typeof evaluationsRun>(
  job: J,
  op: AuditEvent['op'],
  uid: string,
  options: RunOptions,
  prepare: (em: Em) => Promise<InputOf<J>>,
): Promise<void> {
  const about = {
    find: (em: Em) => em.findOne(LqmModel, { uid }, { filters: false }),
    code: 'model_unknown',
    what: 'numeric model',
  };
  const ended = await asOperator(async (operator) => {
    const { started, place } = await onRecord(operator, about, options, async (em, { uid: by }, where) => ({
      place: where,
      started: await startModelRun(em, job, {
        place: where,
        by,
        op,
        application: await runningApplication(em, options.app),
        input: await prepare(em),
      }),
    }));
    await dispatch(operator, started.admitted);
    return awaited(operator, place, started.uid, options.wait);
  });
  print(present(ended), options);
  const { run } = ended;
  if (run.problem) throw new Refusal(run.problem.code, run.problem.detail);
  if (run.state === 'cancelled') throw new Refusal('run_cancelled', `the run ${run.uid} was cancelled`);
}

export type StartedModelRun = { uid: string; admitted: Admitted[] };

/** Writes the record of a run on a version of a model, and who asked for it, in the caller's transaction. */
export async function startModelRun<J extends RunKind>(
  em: Em,
  job: J,
  {
    place,
    by,
    op,
    application,
    input,
  }: { place: Place; by: string; op: AuditEvent['op']; application: string; input: InputOf<J> },
): Promise<StartedModelRun> {
  await em.flush();
  const uid = await createRun(em, job, {
    application,
    requestId: newUid(prefixes.request),
    input,
    now: systemClock.now(),
  });
  const details = { kind: job.key, application_uid: application };
  await record(em, { op, by, ...place, subject: { type: 'run', uid }, details });
  return { uid, admitted: await admitRuns(em, job.queue, place.workspace) };
}

/** Hands runs to their queues, after the transaction that wrote them. */
export async function dispatch(operator: Operator, admitted: readonly Admitted[]): Promise<void> {
  const log = createLog('assay', 'error', process.stderr);
  await withQueues(operator, (queues) => handOver(queues, admitted, log));
}

/** The application in whose name an operator's run is made: a limit of running work counts by it. */
export async function runningApplication(em: Em, named?: string): Promise<string> {
  const found = await em.findOne(
    Application,
    { status: 'active', scopes: { $contains: [SCOPE] }, ...(named === undefined ? {} : { uid: named }) },
    { orderBy: { createdAt: 'asc', uid: 'asc' } },
  );
  if (!found)
    throw new Refusal(
      'application_missing',
      named === undefined
        ? `no active application of the workspace has the scope ${SCOPE}; assay app create makes one`
        : `${named} is no active application of the workspace with the scope ${SCOPE}`,
    );
  return found.uid;
}

async function awaited(operator: Operator, place: Place, uid: string, waitS: number): Promise<FoundRun> {
  const deadline = performance.now() + waitS * 1_000;
  tell(`${uid} is queued; a worker takes it up`);
  for (;;) {
    const found = await operator.inWorkspace(place.workspace, (em) => findRun(em, uid), place.environment);
    if (!found) throw new Error(`the run ${uid} has no record`);
    if (isTerminal(found.run.state) || performance.now() >= deadline) return found;
    await delay(PAUSE_MS);
  }
}

/** What a person wants of the run: where it is and, once it is sealed, its result in figures. */
function present({ run, result }: FoundRun): Record<string, unknown> {
  const { checkpoint: _whole, ...figures } = (result?.members['result'] ?? {}) as Record<string, unknown>;
  const { model_uid, version } = run.input as { model_uid: string; version: number };
  return {
    uid: run.uid,
    state: run.state,
    model_uid,
    version,
    ...figures,
    ...(result ? { result_hash: result.resultHash, seal: result.seal.hash } : {}),
  };
}

function share(text: string): number {
  const value = Number(text);
  if (!(value >= 0.1 && value <= 0.5))
    throw new Refusal('number_invalid', '--holdout-share takes 0.1 to 0.5');
  return value;
}
