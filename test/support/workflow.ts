import { sql } from 'kysely';
import { systemClock } from '#lib/core/clock.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { inTenant } from '#lib/database/orm.ts';
import type { PolicyBody } from '#lib/governance/policy/policy-kind.ts';
import type { PolicyEffect } from '#lib/governance/policy/policy.ts';
import type { Work } from '#lib/workflows/begin-step.write.ts';
import { advanceRun } from '#lib/workflows/advance.write.ts';
import { isAdmitted } from '#lib/workflows/admission.ts';
import { admitRun, type Admission } from '#lib/workflows/admit-run.command.ts';
import { changeVersion } from '#lib/workflows/change-version.command.ts';
import { runs } from '#lib/runs.ts';
import { readDefinition } from '#lib/workflows/definition.ts';
import { checkParameters } from '#lib/workflows/parameters.ts';
import { proposeVersion } from '#lib/workflows/propose-version.command.ts';
import { findRuns, type FoundRun } from '#lib/workflows/read-runs.query.ts';
import { setRate } from '#lib/workflows/rate.write.ts';
import { startRun } from '#lib/workflows/start-run.command.ts';
import type { StartableRuns } from '#lib/workflows/task-scopes.ts';
import type { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { work } from '#workers/workflows/task-work.ts';
import type { Backend } from './backends.ts';
import { buildTenancy, type Tenancy } from './build.ts';
import { doneAs, governAs } from './command.ts';
import { anyScope, policyBody, ruleOf } from './policy.ts';
import { addPerson, policyInForce } from './policy-record.ts';

const tenantOf = ({ workspace, environment }: Tenancy) => ({ workspace, environment });

/** A workflow of one step that waits for a person. */
export const waitingWorkflow = {
  key: 'waits',
  title: 'Waits',
  description: 'Waits for a person.',
  risk_tier: 'T1',
  time_limit_hours: 1,
  cost_estimate: { currency: 'EUR', per_run_minor: 250 },
  parameters: [],
  steps: [{ key: 'ask', kind: 'approval', question: 'Go on?' }],
} as const;

/** A workflow of one forecast, which fails for an unknown metric. */
export const forecastWorkflow = {
  ...waitingWorkflow,
  key: 'forecasts',
  parameters: [{ name: 'metric', type: 'text', description: 'The metric.', required: true }],
  steps: [
    {
      key: 'forecast',
      kind: 'run',
      job: 'planning.forecasts',
      input: { metric: { parameter: 'metric' }, horizon: 4, method: 'drift' },
      attempts: 2,
      wait_seconds: 0,
    },
  ],
} as const;

/** Returns a policy that admits workflows, denies them, or requires an approval. */
export function workflowPolicy(effect: PolicyEffect, graph?: string): PolicyBody {
  const when = { field: 'decision_point', op: 'eq', value: 'workflow_admission' };
  const rule = { ...ruleOf('workflows', effect, when), ...(graph ? { approval_graph_key: graph } : {}) };
  return policyBody({
    scope: anyScope,
    rules: [rule] as unknown as PolicyBody['rules'],
    cases: [{ name: 'it', input: { decision_point: 'workflow_admission' }, expect: { effect } }],
  });
}

/** Publishes a version of a workflow: one person proposes it, and another approves it. */
export async function publishWorkflow(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  definition: unknown = waitingWorkflow,
  declared: StartableRuns = runs,
): Promise<WorkflowVersion> {
  const read = readDefinition(definition, declared);
  if (!read.ok) throw new Error(JSON.stringify(read.faults));
  const second = await addPerson(backend, tenancy.workspace);
  const { definition: valid, digest } = read;
  const proposal = { ...tenantOf(tenancy), definition: valid, digest };
  const { result: proposed } = await doneAs(backend, tenancy.person, proposeVersion, proposal);
  const publication = { version: proposed.uid, event: 'publish' as const };
  return (await doneAs(backend, second, changeVersion, publication)).result;
}

export type Approver = { uid: string; roles: string[] };

/**
 * Creates a workspace whose policies admit workflows, with a workflow that waits for a person, and a second
 * person who may approve.
 */
export async function openWorkflowStage(
  backend: Parameters<typeof buildTenancy>[0],
): Promise<{ tenancy: Tenancy; second: Approver; waiting: WorkflowVersion }> {
  const tenancy = await buildTenancy(backend);
  const other = await buildTenancy(backend, { workspace: tenancy.workspace });
  await policyInForce(backend, tenancy, { body: workflowPolicy('allow') });
  const waiting = await publishWorkflow(backend, tenancy);
  return { tenancy, second: { uid: other.person, roles: ['owner'] }, waiting };
}

/** Requests admission of a workflow, as a person does on the operators' command line. */
export async function admitWorkflow(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  version: WorkflowVersion,
  parameters: Record<string, string | number> = {},
  clock = systemClock,
): Promise<Admission> {
  const { application, person } = tenancy;
  const requested = { ...tenantOf(tenancy), key: version.key, application, parameters };
  const outcome = await governAs(backend, person, admitRun, requested, clock);
  if (!('admission' in outcome)) throw new Error(JSON.stringify(outcome));
  return outcome.admission;
}

/** Starts an admitted workflow; returns the uid of the run. */
export async function startAdmitted(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  { version, admission, parameters = {} }: Started,
): Promise<string> {
  const checked = checkParameters(version.definition, parameters);
  if (!checked.ok) throw new Error(JSON.stringify(checked.faults));
  const start = { admission: admission.uid, version: version.uid, parameters: checked.values };
  return (await doneAs(backend, tenancy.person, startRun, start)).result.uid;
}

type Started = {
  version: WorkflowVersion;
  admission: Admission;
  parameters?: Record<string, string | number>;
};

/** Admits a workflow, and starts it; returns the uid of the run. */
export async function startWorkflow(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  version: WorkflowVersion,
  parameters: Record<string, string | number> = {},
): Promise<string> {
  const admission = await admitWorkflow(backend, tenancy, version, parameters);
  if (!isAdmitted(admission.decision)) throw new Error(JSON.stringify(admission));
  return startAdmitted(backend, tenancy, { version, admission, parameters });
}

/**
 * Advances a workflow run, as a worker does: now or at a given time, with the real work of the steps or with
 * substitutes.
 */
export function advanceOnce(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  run: string,
  given: { now?: Date; work?: Work } = {},
): Promise<void> {
  return inTenant(backend.orm('worker'), tenantOf(tenancy), (em) =>
    advanceRun(em, run, { work, now: systemClock.now(), ...given }),
  );
}

export async function readWorkflowRun(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  uid: string,
): Promise<FoundRun> {
  const [found] = await inTenant(backend.orm('operator'), tenantOf(tenancy), (em) =>
    findRuns(em, { uid, limit: 1 }),
  );
  return found!;
}

/** Sets the rate of a workspace to one euro per second of computing. */
export function setWorkflowRate(backend: Pick<Backend, 'orm'>, tenancy: Tenancy): Promise<void> {
  return inTenant(backend.orm('operator'), tenantOf(tenancy), (em) =>
    setRate(em, {
      uid: newUid(prefixes.workflowRate),
      currency: 'EUR',
      computeSecondMicro: 1_000_000,
      by: tenancy.person,
      since: systemClock.now(),
    }),
  );
}

/** Creates an admission decision that denies a workflow. Returns its uid. */
export async function createAdmission(backend: Pick<Backend, 'orm'>, tenancy: Tenancy): Promise<string> {
  const version = await publishWorkflow(backend, tenancy);
  return (await admitWorkflow(backend, tenancy, version)).uid;
}

/** Creates a run that waits for a person; returns its uid. */
export async function createWorkflowRun(backend: Pick<Backend, 'orm'>, tenancy: Tenancy): Promise<string> {
  await policyInForce(backend, tenancy, { body: workflowPolicy('allow') });
  return startWorkflow(backend, tenancy, await publishWorkflow(backend, tenancy));
}

/**
 * Returns how many runs of the pipeline a workflow run requested, and how many of these runs were metered.
 */
export async function countJobs(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  run: string,
): Promise<{ requested: number; metered: number }> {
  const { rows } = await inTenant(backend.orm('operator'), tenantOf(tenancy), (em) =>
    sql<{ requested: number; metered: number }>`
      select (select count(*)::int from workflow_step_run where run_uid = ${run}) as requested,
        (select count(*)::int from workflow_meter where run_uid = ${run}) as metered
    `.execute(em.getKysely()),
  );
  return rows[0]!;
}
