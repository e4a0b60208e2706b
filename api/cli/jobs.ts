import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Em } from '#lib/database/base.ts';
import { runs } from '#lib/runs.ts';
import { admitRuns } from '#lib/pipeline/admission.repository.ts';
import { handOver, redispatch } from '#lib/pipeline/queue.ts';
import { Dispatch, Run } from '#lib/pipeline/run.entity.ts';
import { cancelRun } from '#lib/pipeline/run.repository.ts';
import { isTerminal, runStates, type RunState } from '#lib/pipeline/run.ts';
import { createLog } from '#lib/core/log.ts';
import { presentListed, presentShown } from './jobs-table.ts';
import { asOperator, type Operator } from './operator.ts';
import { findWorkspace, limitOption, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { answered, withQueues } from './queues.ts';
import { Refusal } from '#lib/core/refusal.ts';

type ListOptions = OutputOptions & { workspace?: string; state?: string; kind?: string; limit: number };

export function register(program: Command): void {
  const group = program.command('jobs').description('the records of heavy work, and their queue jobs');
  withJson(group.command('list'))
    .description('list the runs of all workspaces, newest first')
    .option('--workspace <uid>')
    .option('--state <state>', runStates.join(', '))
    .option('--kind <kind>', Object.keys(runs).join(', '))
    .addOption(limitOption(20))
    .action(async (options: ListOptions) => {
      const runs = await asOperator((operator) => operator.everywhere((em) => list(em, options)));
      printRows(runs.map(presentListed), options);
    });
  withJson(group.command('show <run>'))
    .description('show a run with its timings, its turn and the state of its queue job')
    .action(async (uid: string, options: OutputOptions) => {
      print(await asOperator((operator) => show(operator, uid)), options);
    });
  withJson(group.command('retry <run>'))
    .description('hand an open run to its queue again where no live queue job carries it')
    .action(async (uid: string, options: OutputOptions) => {
      print(await asOperator((operator) => retry(operator, uid)), options);
    });
  withJson(group.command('cancel <run>'))
    .description('cancel a run that has not ended')
    .action(async (uid: string, options: OutputOptions) => {
      print(await asOperator((operator) => cancel(operator, uid)), options);
    });
}

async function list(em: Em, { workspace, state, kind, limit }: ListOptions): Promise<Run[]> {
  if (state !== undefined && !runStates.includes(state as RunState))
    throw new Refusal('unknown_state', `the states are ${runStates.join(', ')}`);
  if (kind !== undefined && !Object.hasOwn(runs, kind))
    throw new Refusal('unknown_kind', `the kinds are ${Object.keys(runs).join(', ')}`);
  if (workspace !== undefined) await findWorkspace(em, workspace);
  const asked = {
    ...(workspace === undefined ? {} : { workspaceUid: workspace }),
    ...(state === undefined ? {} : { state: state as RunState }),
    ...(kind === undefined ? {} : { kind }),
  };
  return em.find(Run, asked, { filters: false, orderBy: { createdAt: 'desc', uid: 'desc' }, limit });
}

async function show(operator: Operator, uid: string) {
  const { run, dispatch } = await operator.everywhere((em) => find(em, uid));
  const jobState = await withQueues(operator, async (queues) =>
    answered(queues[runs[run.kind as keyof typeof runs].queue].getJobState(uid)),
  ).catch(() => 'queue away');
  return presentShown(run, dispatch, jobState);
}

/** What the scheduler does for every open run, for one and at once. */
async function retry(operator: Operator, uid: string) {
  const { run, dispatch } = await operator.everywhere((em) => find(em, uid));
  if (isTerminal(run.state) || !dispatch)
    throw new Refusal('run_not_retryable', `the run has ended (${run.state}); a new run is a new submission`);
  const tenant = { workspace: run.workspaceUid, environment: run.environment };
  return withQueues(operator, async (queues) => {
    const admitted = await operator.inWorkspace(
      tenant.workspace,
      (em) => admitRuns(em, dispatch.queue, tenant.workspace),
      tenant.environment,
    );
    const tag = dispatch.tag ?? admitted.find((other) => other.uid === uid)?.tag;
    await answered(handOver(queues, admitted, log));
    if (tag === undefined) return { uid, handed_over: false, queue_job: 'waits for room' };
    const { kind, queue } = dispatch;
    const { handedOver, found } = await answered(
      redispatch(queues[queue], { ...tenant, uid, kind, queue, tag }),
    );
    return { uid, handed_over: handedOver, queue_job: found === 'unknown' ? 'lost' : found };
  });
}

async function cancel(operator: Operator, uid: string) {
  const { run } = await operator.everywhere((em) => find(em, uid));
  const { verdict, admitted } = await operator.inWorkspace(
    run.workspaceUid,
    (em) => cancelRun(em, uid, { actor: { kind: 'system' }, now: systemClock.now() }),
    run.environment,
  );
  if (verdict !== 'cancelled')
    throw new Refusal('run_not_cancellable', `the run has already ended (${run.state})`);
  if (admitted.length) await withQueues(operator, (queues) => answered(handOver(queues, admitted, log)));
  return { uid, state: 'cancelled' };
}

const log = createLog('assay', 'warn', process.stderr);

async function find(em: Em, uid: string): Promise<{ run: Run; dispatch: Dispatch | null }> {
  const run = await em.findOne(Run, { uid }, { filters: false });
  if (!run) throw new Refusal('run_unknown', `there is no run ${uid}`);
  return { run, dispatch: await em.findOne(Dispatch, { runUid: uid }, { filters: false }) };
}
