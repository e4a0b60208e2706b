import type { Command } from 'commander';
import { pollUntil } from '#lib/core/poll.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { startQlmEvaluation } from '#lib/qlms/evaluation/start-evaluation.command.ts';
import { dispatch } from '#lib/pipeline/queues.ts';
import { isTerminal } from '#lib/pipeline/run.ts';
import { findRun, type FoundRun } from '#lib/pipeline/run.write.ts';
import { governBy, provenPerson } from '../shell/govern.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { asOperator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { notice, print, type OutputOptions } from '../shell/output.ts';
import { versionOption } from '../shell/whole-number.ts';

const PAUSE_MS = 200;
const WAIT_MS = 600_000;

type EvaluateOptions = OutputOptions & GovernedOptions & { suite?: string; version?: number; app?: string };

/** Registers `assay qlm evaluate`, which submits the same run as the API. */
export function registerEvaluate(group: Command): void {
  withPerson(withJson(group.command('evaluate <model>')))
    .description('answer the cases of a suite, and print the scores and the verdict of the gate')
    .addOption(versionOption())
    .option('--suite <suite>', 'the uid of the suite (default: the suite of the gate)')
    .option('--app <application>', 'the application whose scopes answer the questions')
    .action(evaluate);
}

async function evaluate(model: string, options: EvaluateOptions): Promise<void> {
  const { suite, version, app: application } = options;
  const { run, result } = await asOperator(async (operator): Promise<FoundRun> => {
    const input = { model, suite, version, application };
    const started = await governBy(operator, startQlmEvaluation, input, provenPerson(operator, options));
    await dispatch(operator, started.result.admitted);
    notice(`${started.result.uid} is queued; a worker will pick it up`);
    return pollUntil(
      async () => (await operator.query(started.result.place, findRun, started.result.uid))!,
      (found) => isTerminal(found.run.state),
      { everyMs: PAUSE_MS, forMs: WAIT_MS },
    );
  });
  const { by_tag: _tags, ...figures } = (result?.members['result'] ?? {}) as Record<string, unknown>;
  print({ uid: run.uid, state: run.state, ...figures, seal: result?.seal.hash ?? null }, options);
  if (run.problem) throw new Refusal(run.problem.code, run.problem.detail);
  if (run.state === 'cancelled') throw new Refusal('run_cancelled', `the run ${run.uid} was cancelled`);
}
