import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { policyInForce } from './policy-record.ts';
import { createInstallation, createProof } from './workflow-library.ts';
import { eventually } from './runs.ts';
import {
  countJobs,
  forecastWorkflow,
  publishWorkflow,
  setWorkflowRate,
  startWorkflow,
  workflowPolicy,
} from './workflow.ts';

/** The body of a policy that observes the costs of workflows. */
export const finopsBody = {
  mode: 'observe',
  currency: 'EUR',
  monthly_budget_minor: 500_000,
  thresholds_pct: [50, 80, 100],
  per_workflow: [],
  cost_basis: 'metered',
  labels: {},
};

/** Creates the policy of a tenancy on the costs of workflows; returns the uid of the policy. */
export async function createFinopsPolicy(backend: Pick<Backend, 'url'>, { key }: Tenancy): Promise<string> {
  return (await clientOf(backend, key).put('/workflow-studio/finops/policy', finopsBody)).body.uid;
}

/** Writes rows of a tenancy to every table of workflows. */
export async function fillWorkflowTables(backend: Backend, tenancy: Tenancy): Promise<void> {
  await policyInForce(backend, tenancy, { body: workflowPolicy('allow') });
  await setWorkflowRate(backend, tenancy);
  // This run is accepted without any data, and fails in its worker.
  const [step] = forecastWorkflow.steps;
  const version = await publishWorkflow(backend, tenancy, {
    ...forecastWorkflow,
    parameters: [],
    steps: [{ ...step, job: 'investment.theme-factors', input: {}, attempts: 1 }],
  });
  const run = await startWorkflow(backend, tenancy, version);
  await createFinopsPolicy(backend, tenancy);
  await createInstallation(backend, tenancy);
  await createProof(backend, tenancy);
  await eventually(async () => (await countJobs(backend, tenancy, run)).metered > 0);
}
