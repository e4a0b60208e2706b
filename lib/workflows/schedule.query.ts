import type { Em } from '#lib/database/base.ts';
import { WorkflowSchedule } from './workflow-schedule.entity.ts';

/** Lists the schedules of the current tenant, newest first. */
export function listSchedules(em: Em, limit: number): Promise<WorkflowSchedule[]> {
  return em.find(WorkflowSchedule, {}, { orderBy: { uid: 'desc' }, limit });
}
