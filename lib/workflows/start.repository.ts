import { appendAudit } from '#lib/audit/audit.repository.ts';
import { instantOf } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { ParameterValues } from './parameters.ts';
import { tellCrossings } from './budget-crossing.repository.ts';
import { inputsHash } from './admit.repository.ts';
import { planOf } from './plan.ts';
import { watchRun } from './watch.repository.ts';
import type { WorkflowAdmission } from './workflow-admission.entity.ts';
import { WorkflowRun, WorkflowStep } from './workflow-run.entity.ts';
import type { WorkflowVersion } from './workflow-version.entity.ts';

export type Start = {
  admission: WorkflowAdmission;
  version: WorkflowVersion;
  parameters: ParameterValues;
  now: Date;
};

/**
 * Starts the run of an admission, in the em's tenant. The database refuses a second run of the same admission, one that
 * was not admitted or has expired, and one of anything else than what was admitted.
 */
export async function startRun(em: Em, { admission, version, parameters, now }: Start): Promise<WorkflowRun> {
  const { workspace, environment } = tenantOf(em);
  const own = { workspaceUid: workspace, environment };
  const run = em.create(WorkflowRun, {
    ...own,
    uid: newUid(prefixes.workflowRun),
    admissionUid: admission.uid,
    versionUid: version.uid,
    workflowKey: version.key,
    applicationUid: admission.applicationUid,
    requestedByUid: admission.requestedBy.uid,
    parameters,
    inputsHash: inputsHash({ version, application: admission.applicationUid, parameters }),
    state: 'queued',
    errorCode: null,
    outputsHash: null,
    createdAt: now,
    deadlineAt: instantOf(now.getTime() + version.definition.time_limit_hours * 3_600_000),
    startedAt: null,
    endedAt: null,
  });
  await em.flush();
  for (const [position, { key }] of planOf(version.definition, admission.conditions).entries()) {
    em.create(WorkflowStep, {
      ...own,
      runUid: run.uid,
      position,
      key,
      state: 'pending',
      attempts: 0,
      notBefore: null,
      jobUid: null,
      output: null,
      outputHash: null,
      errorCode: null,
      decidedByUid: null,
      startedAt: null,
      endedAt: null,
    });
  }
  await em.flush();
  await watchRun(em, run.uid, now);
  await tellCrossings(em, { basis: 'estimated', times: [now], now });
  await appendAudit(em, {
    at: now,
    op: 'workflow.run_started',
    actor:
      admission.trigger === 'schedule' ? { kind: 'system' } : { kind: 'person', uid: run.requestedByUid },
    subject: { type: 'workflow_run', uid: run.uid },
    payloadHash: run.inputsHash,
    details: { workflow: version.key, version: version.version, admission_uid: admission.uid },
  });
  return run;
}
