import { LockMode } from '@mikro-orm/core';
import type { Em } from '#lib/database/base.ts';
import { WorkflowRun, WorkflowStep } from './workflow-run.entity.ts';

/** Locks a run of the current tenant until the transaction ends. */
export function lockRun(em: Em, uid: string): Promise<WorkflowRun> {
  return em.findOneOrFail(WorkflowRun, { uid }, { lockMode: LockMode.PESSIMISTIC_WRITE, refresh: true });
}

/** Returns the current steps of a run, in order. */
export function stepsOf(em: Em, { uid }: WorkflowRun): Promise<WorkflowStep[]> {
  return em.find(WorkflowStep, { runUid: uid }, { orderBy: { position: 'asc' }, refresh: true });
}

export const unknownRun = { run_unknown: 'The workflow run does not exist.' } as const;
