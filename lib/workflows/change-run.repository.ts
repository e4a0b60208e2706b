import { LockMode } from '@mikro-orm/core';
import { appendAudit } from '#lib/audit/audit.repository.ts';
import type { Em } from '#lib/database/base.ts';
import { cancelRuns } from '#lib/pipeline/bulk-runs.repository.ts';
import { decideApproval, type ApprovalRefusal } from './decide-step.ts';
import { isOver, isStepOver } from './run-states.ts';
import { watchRun } from './watch.repository.ts';
import { WorkflowRun, WorkflowStep } from './workflow-run.entity.ts';

type Approver = { uid: string; roles: readonly string[] };

export type Approved = { ok: true; steps: string[] } | { ok: false; code: ApprovalRefusal };

/** Approves the step of a run that waits, or the one of this key, for a person. A refusal is recorded as well. */
export async function approveStep(
  em: Em,
  uid: string,
  { person, step: named, reason, now }: { person: Approver; step?: string; reason: string; now: Date },
): Promise<Approved> {
  const run = await lockRun(em, uid);
  const steps = await em.find(WorkflowStep, { runUid: uid }, { orderBy: { position: 'asc' }, refresh: true });
  const waiting = steps.filter(({ key, state }) => (named ? key === named : state === 'waiting_approval'));
  const facts = {
    state: waiting[0]?.state ?? ('pending' as const),
    isLate: now >= run.deadlineAt,
    requestedBy: run.requestedByUid,
  };
  const verdict = decideApproval(facts, person);
  for (const step of verdict.ok ? waiting : []) {
    em.assign(step, { state: 'succeeded', decidedByUid: person.uid, endedAt: now });
  }
  await em.flush();
  if (verdict.ok) await watchRun(em, uid, now);
  const keys = waiting.map(({ key }) => key);
  await appendAudit(em, {
    at: now,
    op: 'workflow.step_approved',
    actor: { kind: 'person', uid: person.uid },
    subject: { type: 'workflow_run', uid },
    ...(verdict.ok ? {} : { refused: verdict.code }),
    details: { steps: keys, reason },
  });
  return verdict.ok ? { ok: true, steps: keys } : verdict;
}

export type CancelledRun = { ok: true; jobs: string[] } | { ok: false; code: 'run_not_cancellable' };

/** Cancels a run with the runs of the pipeline that its steps wait for. One person is enough to stop it. */
export async function cancelWorkflowRun(
  em: Em,
  uid: string,
  { person, reason, now }: { person: string; reason: string; now: Date },
): Promise<CancelledRun> {
  const run = await lockRun(em, uid);
  if (isOver(run.state)) return { ok: false, code: 'run_not_cancellable' };
  const actor = { kind: 'person', uid: person } as const;
  const steps = await em.find(WorkflowStep, { runUid: uid }, { refresh: true });
  const open = steps.flatMap(({ state, jobUid }) => (state === 'running' && jobUid ? [jobUid] : []));
  const jobs = open.length > 0 ? await cancelRuns(em, open, { actor, requestId: uid, now }) : [];
  for (const step of steps)
    if (!isStepOver(step.state)) em.assign(step, { state: 'cancelled', endedAt: now });
  em.assign(run, { state: 'cancelled', endedAt: now });
  await em.flush();
  await watchRun(em, uid, now);
  await appendAudit(em, {
    at: now,
    op: 'workflow.run_cancelled',
    actor,
    subject: { type: 'workflow_run', uid },
    details: { reason },
  });
  return { ok: true, jobs };
}

function lockRun(em: Em, uid: string): Promise<WorkflowRun> {
  return em.findOneOrFail(WorkflowRun, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}
