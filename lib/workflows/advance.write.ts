import { LockMode } from '@mikro-orm/core';
import { appendAudit } from '#lib/audit/audit.write.ts';
import { instantOf } from '#lib/core/clock.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Em } from '#lib/database/base.ts';
import { readResult } from '#lib/pipeline/run-result.query.ts';
import { cancelRuns } from '#lib/pipeline/bulk-runs.write.ts';
import { beginStep, type StepOutcome, type Work } from './begin-step.write.ts';
import { isUnmetered, meterRun, meterTask, type TaskUse } from './meter.write.ts';
import { planOf, type PlannedStep } from './plan.ts';
import type { Evidence } from './report.ts';
import { isOver, isStepOver } from './run-states.ts';
import { settleStep } from './settle-step.query.ts';
import { progressOf, type StepFacts } from './run-progress.ts';
import { postponeWatch } from './watch.write.ts';
import { WorkflowAdmission } from './workflow-admission.entity.ts';
import { WorkflowRun, WorkflowStep } from './workflow-run.entity.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';

/** Milliseconds from a change of a run's steps to the next check of the run. */
const SOON_MS = 500;

/**
 * Advances a run of the current tenant as far as possible, in the caller's transaction. A concurrent or repeated call
 * has no effect: the run is locked, and the request of a step is recorded with the step.
 */
export async function advanceRun(
  em: Em,
  uid: string,
  { work, now }: { work: Work; now: Date },
): Promise<void> {
  const run = await em.findOne(
    WorkflowRun,
    { uid },
    { lockMode: LockMode.PESSIMISTIC_PARTIAL_WRITE, refresh: true },
  );
  if (!run) return;
  const steps = await em.find(WorkflowStep, { runUid: uid }, { orderBy: { position: 'asc' }, refresh: true });
  const used: TaskUse[] = [];
  if (!isOver(run.state)) await carryOn(em, { run, steps, work, used, now });
  await meterRun(em, uid, now);
  for (const use of used) await meterTask(em, use);
  await em.flush();
  await postponeWatch(em, uid, await nextLook(em, run, steps, now));
}

type Going = {
  run: WorkflowRun;
  steps: WorkflowStep[];
  work: Work;
  /**
   * The tasks that were done immediately, with the time that each took. The costs of these tasks are recorded last, so
   * that other transactions do not wait for the recording.
   */
  used: TaskUse[];
  now: Date;
};

async function carryOn(em: Em, going: Going): Promise<void> {
  const { run, steps, now } = going;
  const version = await em.findOneOrFail(WorkflowVersion, { uid: run.versionUid });
  const { conditions } = await em.findOneOrFail(WorkflowAdmission, { uid: run.admissionUid });
  const plan = planOf(version.definition, conditions);
  for (const step of steps) {
    if (step.state === 'running') {
      write(step, await settleStep(em, step.jobUid!), definitionOf(plan, step), now);
    }
  }
  for (;;) {
    const progress = progressOf(factsOf(plan, steps), { now, deadline: run.deadlineAt });
    if ('ready' in progress && progress.ready.length > 0) {
      run.startedAt ??= now;
      for (const key of progress.ready) await begin(em, going, { version, plan, key });
      continue;
    }
    if (!('ready' in progress)) return endRun(em, going, progress.state);
    run.state = progress.state;
    return;
  }
}

type Beginning = { version: WorkflowVersion; plan: readonly PlannedStep[]; key: string };

async function begin(
  em: Em,
  { run, steps, work, used, now }: Going,
  { version, plan, key }: Beginning,
): Promise<void> {
  const step = steps.find((each) => each.key === key)!;
  const { definition } = plan.find((each) => each.key === key)!;
  const succeeded = steps.filter(({ state }) => state === 'succeeded');
  const started = performance.now();
  const begun = await beginStep(em, {
    run,
    step,
    definition,
    work,
    now,
    sources: { parameters: run.parameters, outputOf: (name) => outputOf(em, succeeded, name) },
    report: {
      workflow: { key: version.key, version: version.version, digest: version.digest },
      parameters: run.parameters,
      evidence: succeeded.flatMap(({ key: name, jobUid, output }) =>
        jobUid ? [{ step: name, ...output } as Evidence] : [],
      ),
    },
  });
  if (definition.kind === 'task') {
    const ms = performance.now() - started;
    used.push({ run: run.uid, workflow: run.workflowKey, step: key, ms, now });
  }
  step.startedAt ??= now;
  step.attempts += 1;
  write(step, begun, definition, now);
}

/**
 * Returns the complete output of a step. For a run of the pipeline, the output contains everything that the run sealed.
 */
async function outputOf(
  em: Em,
  succeeded: readonly WorkflowStep[],
  key: string,
): Promise<Record<string, unknown>> {
  const step = succeeded.find((each) => each.key === key);
  if (!step) throw new Error(`the step ${key} has not succeeded`);
  if (!step.jobUid) return step.output ?? {};
  const { members, resultHash } = await readResult(em, step.jobUid, []);
  return { uid: step.jobUid, ...members, result_hash: resultHash };
}

/** Writes the outcome of a step. A temporary failure is retried as often as the definition of the step allows. */
function write(
  step: WorkflowStep,
  became: StepOutcome | undefined,
  definition: PlannedStep['definition'],
  now: Date,
): void {
  if (!became) return;
  const { state } = became;
  if (state === 'failed') {
    if (became.output) step.output = became.output;
    const limit = definition.kind === 'run' ? definition.attempts : 1;
    step.errorCode = became.code;
    if (became.mayPass && step.attempts < limit) {
      step.state = 'pending';
      step.jobUid = null;
      const waitMs = definition.kind === 'run' ? definition.wait_seconds * 1_000 : 0;
      step.notBefore = instantOf(now.getTime() + waitMs);
      return;
    }
  }
  step.state = state;
  if (state === 'running') step.jobUid = became.job;
  if (state === 'waiting_approval') step.output = became.output;
  if (state === 'succeeded') {
    step.output = became.output;
    step.outputHash = became.hash ?? canonicalHash(became.output);
    step.errorCode = null;
  }
  if (isStepOver(state)) step.endedAt = now;
}

async function endRun(
  em: Em,
  { run, steps, now }: Going,
  state: 'succeeded' | 'failed' | 'timed_out',
): Promise<void> {
  const actor = { kind: 'system' } as const;
  const jobs = steps.flatMap(({ state: of, jobUid }) => (of === 'running' && jobUid ? [jobUid] : []));
  if (jobs.length > 0) await cancelRuns(em, jobs, { actor, requestId: run.uid, now });
  run.errorCode =
    state === 'timed_out'
      ? 'time_limit_exceeded'
      : (steps.find((step) => step.state === 'failed')?.errorCode ?? null);
  for (const step of steps) {
    if (isStepOver(step.state)) continue;
    step.state = 'cancelled';
    step.endedAt = now;
  }
  run.state = state;
  run.startedAt ??= now;
  run.endedAt = now;
  if (state === 'succeeded') {
    run.outputsHash = canonicalHash(
      Object.fromEntries(steps.map(({ key, outputHash }) => [key, outputHash ?? null])),
    );
  }
  await appendAudit(em, {
    at: now,
    op: 'workflow.run_ended',
    actor,
    subject: { type: 'workflow_run', uid: run.uid },
    ...(run.outputsHash == null ? {} : { afterHash: run.outputsHash }),
    details: { workflow: run.workflowKey, state, error_code: run.errorCode ?? null },
  });
}

async function nextLook(
  em: Em,
  run: WorkflowRun,
  steps: readonly WorkflowStep[],
  now: Date,
): Promise<Date | null> {
  const soon = instantOf(now.getTime() + SOON_MS);
  if (isOver(run.state)) return (await isUnmetered(em, run.uid)) ? soon : null;
  if (run.state === 'waiting_approval') return run.deadlineAt;
  if (steps.some(({ state }) => state === 'running')) return soon;
  const tries = steps.flatMap(({ state, notBefore }) =>
    state === 'pending' && notBefore ? [notBefore] : [],
  );
  return tries.reduce((first, each) => (each < first ? each : first), run.deadlineAt);
}

function factsOf(plan: readonly PlannedStep[], steps: readonly WorkflowStep[]): StepFacts[] {
  return steps.map((step) => ({
    key: step.key,
    state: step.state,
    needs: plan.find(({ key }) => key === step.key)!.needs,
    notBefore: step.notBefore ?? null,
  }));
}

function definitionOf(plan: readonly PlannedStep[], step: WorkflowStep) {
  return plan.find(({ key }) => key === step.key)!.definition;
}
