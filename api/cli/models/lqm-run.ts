import { Option, type Command } from 'commander';
import { pollUntil } from '#lib/core/poll.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { InputOf } from '#lib/governance/command.ts';
import { HOLDOUT_SHARE } from '#lib/models/training/model-run-request.schema.ts';
import { startEvaluation, startTraining } from '#lib/models/training/start-run.command.ts';
import { trainingsRun } from '#lib/models/training/trainings.run.ts';
import { findRun, type FoundRun } from '#lib/pipeline/run.write.ts';
import { isTerminal } from '#lib/pipeline/run.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { asOperator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, notice, type OutputOptions } from '../shell/output.ts';
import { dispatch } from '#lib/pipeline/queues.ts';
import { governBy, provenPerson } from '../shell/govern.ts';
import { versionOption, wholeNumber } from '../shell/whole-number.ts';

const PAUSE_MS = 200;
const WAIT_S = 600;

type RunOptions = OutputOptions &
  GovernedOptions & { version?: number; app?: string; wait: number; holdoutShare?: number };

/** Registers `assay lqm train` and `assay lqm evaluate`, which submit the same runs as the API. */
export function registerRuns(group: Command): void {
  submitting(group.command('train <model>'))
    .description('train a version on its dataset, and print the result of the sealed training')
    .action((uid: string, options: RunOptions) => train(uid, options));
  submitting(group.command('evaluate <model>'))
    .description(
      'evaluate the checkpoint of a version on rows that were not used for fitting, and print the verdict',
    )
    .addOption(
      new Option('--holdout-share <share>', 'the share of rows to hold out, taken from the end, 0.1 to 0.5')
        .argParser((text) => share(text))
        .default(HOLDOUT_SHARE),
    )
    .action((uid: string, options: RunOptions) => evaluate(uid, options));
}

function submitting(command: Command): Command {
  return withPerson(withJson(command))
    .addOption(versionOption())
    .option(
      '--app <application>',
      `the application that submits the run (default: the oldest with the scope ${trainingsRun.scope})`,
    )
    .addOption(
      new Option('--wait <seconds>', 'seconds to wait for the run to end, 0 to 3600')
        .argParser((text) => wholeNumber('--wait', text, [0, 3_600]))
        .default(WAIT_S),
    );
}

async function train(model: string, options: RunOptions): Promise<void> {
  await start(startTraining, startOf(model, options), options);
}

async function evaluate(model: string, options: RunOptions): Promise<void> {
  const { holdoutShare: holdout_share } = options;
  await start(
    startEvaluation,
    { ...startOf(model, options), ...(holdout_share === undefined ? {} : { holdout_share }) },
    options,
  );
}

function startOf(model: string, { version, app }: RunOptions) {
  return { model, application: app, ...(version === undefined ? {} : { version }) };
}

async function start<C extends typeof startTraining | typeof startEvaluation>(
  command: C,
  input: InputOf<C>,
  options: RunOptions,
): Promise<void> {
  const ended = await asOperator(async (operator) => {
    const { result } = await governBy(operator, command, input, provenPerson(operator, options));
    await dispatch(operator, result.admitted);
    notice(`${result.uid} is queued; a worker will pick it up`);
    return pollUntil(
      async () => (await operator.query(result.place, findRun, result.uid))!,
      ({ run }) => isTerminal(run.state),
      { everyMs: PAUSE_MS, forMs: options.wait * 1_000 },
    );
  });
  print(present(ended), options);
  const { run } = ended;
  if (run.problem) throw new Refusal(run.problem.code, run.problem.detail);
  if (run.state === 'cancelled') throw new Refusal('run_cancelled', `the run ${run.uid} was cancelled`);
}

/**
 * Returns the fields of a run that a person needs: its state and, once the run is sealed, the figures of its
 * result.
 */
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
