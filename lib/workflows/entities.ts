import { FinopsPolicy } from './finops-policy.entity.ts';
import { WorkflowAdmission } from './workflow-admission.entity.ts';
import { WorkflowRun, WorkflowStep } from './workflow-run.entity.ts';
import { WorkflowSchedule } from './workflow-schedule.entity.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';

/** The entities of this folder's tables. */
export const entities = [
  WorkflowSchedule,
  WorkflowVersion,
  WorkflowAdmission,
  WorkflowRun,
  WorkflowStep,
  FinopsPolicy,
];
