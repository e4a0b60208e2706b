import type { Command } from 'commander';
import { runs } from '#lib/runs.ts';
import { cancelRun } from '#lib/pipeline/cancel-run.command.ts';
import { findAnyRun, listAllRuns } from '#lib/pipeline/operator-runs.query.ts';
import { enqueueAdmitted } from '#lib/pipeline/queue.ts';
import { isTerminal, runStates, type RunState } from '#lib/pipeline/run.ts';
import { createLog } from '#lib/core/log.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { presentListed, presentShown } from './jobs-table.ts';
import { asOperator, type Operator } from '../shell/operator.ts';
import { findWorkspace } from '#lib/access/workspace.query.ts';
import { limitOption, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { answered, retryRun, withQueues } from '#lib/pipeline/queues.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { governBy } from '../shell/govern.ts';

type ListOptions = OutputOptions & { workspace?: string; state?: string; kind?: string; limit: number };

export function register(program: Command): void {
  const group = program.command('jobs');
  withJson(group.command('list'))
    .description('list the runs of all workspaces, newest first')
    .option('--workspace <uid>', 'only runs of this workspace')
    .option('--state <state>', `only runs in this state: ${runStates.join(', ')}`)
    .option('--kind <kind>', `only runs of this kind: ${Object.keys(runs).join(', ')}`)
    .addOption(limitOption(20))
    .action(async (options: ListOptions) => {
      const found = await asOperator((operator) => list(operator, options));
      printRows(found, options, presentListed);
    });
  withJson(group.command('show <run>'))
    .description('show a run with its timings, its queue position and the state of its queue job')
    .action(async (uid: string, options: OutputOptions) => {
      print(await asOperator((operator) => show(operator, uid)), options);
    });
  withJson(group.command('retry <run>'))
    .description('add an open run to its queue again if it has no live queue job')
    .action(async (uid: string, options: OutputOptions) => {
      print(await asOperator((operator) => retry(operator, uid)), options);
    });
  withJson(group.command('cancel <run>'))
    .description('cancel a run that has not ended')
    .action(async (uid: string, options: OutputOptions) => {
      print(await asOperator((operator) => cancel(operator, uid)), options);
    });
}

async function list(operator: Operator, { workspace, state, kind, limit }: ListOptions) {
  if (state !== undefined && !runStates.includes(state as RunState))
    throw new Refusal('unknown_state', `the states are ${runStates.join(', ')}`);
  if (kind !== undefined && !Object.hasOwn(runs, kind))
    throw new Refusal('unknown_kind', `the kinds are ${Object.keys(runs).join(', ')}`);
  if (workspace !== undefined) await operator.query('everywhere', findWorkspace, workspace);
  const question = { workspace, state: state as RunState | undefined, kind, limit };
  return operator.query('everywhere', listAllRuns, question);
}

async function show(operator: Operator, uid: string) {
  const { run, dispatch } = await find(operator, uid);
  const jobState = await withQueues(operator, async (queues) =>
    answered(queues[runs[run.kind as keyof typeof runs].queue].getJobState(uid)),
  ).catch(() => 'queue away');
  return presentShown(run, dispatch, jobState);
}

async function retry(operator: Operator, uid: string) {
  const { run, dispatch } = await find(operator, uid);
  if (isTerminal(run.state) || !dispatch)
    throw new Refusal('run_not_retryable', `the run has ended (${run.state}); submit a new run instead`);
  const { handedOver, found } = await retryRun(operator, run, dispatch);
  const jobState = found === 'unknown' ? 'lost' : (found ?? 'waits for room');
  return { uid, handed_over: handedOver, queue_job: jobState };
}

async function cancel(operator: Operator, uid: string) {
  const { result } = await governBy(operator, cancelRun, { uid }, unnamed);
  const { admitted } = result;
  if (admitted.length)
    await withQueues(operator, (queues) => answered(enqueueAdmitted(queues, admitted, log)));
  return { uid, state: 'cancelled' };
}

const log = createLog('assay', 'warn', process.stderr);

async function find(operator: Operator, uid: string) {
  const found = await operator.query('everywhere', findAnyRun, uid);
  if (!found) throw new Refusal('run_unknown', `there is no run ${uid}`);
  return found;
}
