import { instantOf } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import { defineCommand } from '#lib/governance/command.ts';
import { placeOfRecord } from '#lib/governance/place-of-record.query.ts';
import { recordCrossings } from './budget-crossing.write.ts';
import { inputsHash } from './inputs-hash.ts';
import type { ParameterValues } from './parameters.ts';
import { planOf } from './plan.ts';
import { watchRun } from './watch.write.ts';
import { WorkflowAdmission } from './workflow-admission.entity.ts';
import { WorkflowRun, WorkflowStep } from './workflow-run.entity.ts';
import { WorkflowVersion } from './workflow-version.entity.ts';

type Input = { admission: string; version: string; parameters: ParameterValues };
type Facts = { admission: WorkflowAdmission; version: WorkflowVersion };

/**
 * Starts the run of an admission. The database refuses a second run of the same admission, a denied or expired
 * admission, and inputs that differ from the admitted inputs.
 */
export const startRun = defineCommand<Input>()({
  find: (em, { admission }) => placeOfRecord(em, WorkflowAdmission, admission),
  unknown: 'admission_unknown',
  lock: async () => undefined,
  facts: async (em, _locked, { admission, version }): Promise<Facts> => ({
    admission: await em.findOneOrFail(WorkflowAdmission, { uid: admission }),
    version: await em.findOneOrFail(WorkflowVersion, { uid: version }),
  }),
  decide: () => ({ ok: true }) as const,
  async write(em, facts, _verdict, { input: { parameters }, place, now }) {
    const run = createRun(em, facts, { parameters, place, now });
    await em.flush();
    createSteps(em, facts, run);
    await em.flush();
    await watchRun(em, run.uid, now);
    return { result: run, follow: () => recordCrossings(em, { basis: 'estimated', times: [now], now }) };
  },
  entry: ({ admission, version }, _verdict, _input, run) => ({
    op: 'workflow.run_started',
    subject: { type: 'workflow_run', uid: run!.uid },
    payloadHash: run!.inputsHash,
    details: { workflow: version.key, version: version.version, admission_uid: admission.uid },
  }),
  refusals: { admission_unknown: 'The admission of the workflow run does not exist.' },
});

function createRun(
  em: Em,
  { admission, version }: Facts,
  { parameters, place, now }: { parameters: ParameterValues; place: Tenant; now: Date },
): WorkflowRun {
  const { applicationUid: application } = admission;
  return em.create(WorkflowRun, {
    workspaceUid: place.workspace,
    environment: place.environment,
    uid: newUid(prefixes.workflowRun),
    admissionUid: admission.uid,
    versionUid: version.uid,
    workflowKey: version.key,
    applicationUid: application,
    requestedByUid: admission.requestedBy.uid,
    parameters,
    inputsHash: inputsHash({ version, application, parameters }),
    state: 'queued',
    errorCode: null,
    outputsHash: null,
    createdAt: now,
    deadlineAt: instantOf(now.getTime() + version.definition.time_limit_hours * 3_600_000),
    startedAt: null,
    endedAt: null,
  });
}

function createSteps(
  em: Em,
  { admission, version }: Facts,
  { uid, workspaceUid, environment }: WorkflowRun,
): void {
  for (const [position, { key }] of planOf(version.definition, admission.conditions).entries()) {
    em.create(WorkflowStep, {
      workspaceUid,
      environment,
      runUid: uid,
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
}
