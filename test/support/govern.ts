import { expect } from 'chai';
import { clientOf } from './client.ts';
import { assay } from './cli.ts';
import type { Backend } from './backends.ts';

/** The output of `assay govern quickstart`. */
export type Sample = {
  workspace: string;
  persons: Record<'grantor' | 'controller' | 'drafter' | 'approver', { uid: string; name: string }>;
  applications: Record<'drafter' | 'approver' | 'outsider', { uid: string; api_key: string }>;
  identity: { uid: string };
  connector: string;
  counterparty_id: number;
  currency: string;
  obligation: { uid: string };
  graph: { uid: string };
  authority: { uid: string };
  policy: { uid: string };
  batch: { uid: string; orders: Record<string, unknown>[] };
  custodian: string;
};

/** Creates a workspace with a complete governed sample, set up by operators. */
export async function governedSample(backend: Backend): Promise<Sample> {
  const made = await assay(backend, 'workspace', 'create', '--name', 'Governed', '--json');
  expect(made.status, made.stderr).to.equal(0);
  const workspace = made.json.uid as string;
  const sample = await assay(backend, 'govern', 'quickstart', '--workspace', workspace, '--json');
  expect(sample.status, sample.stderr).to.equal(0);
  return { workspace, ...sample.json };
}

/** Returns the terms of a delegation that the approver of the sample may approve. */
export function draftBody(sample: Sample, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    action: 'obligation.pay',
    counterparty_id: sample.counterparty_id,
    connector: sample.connector,
    currency: sample.currency,
    execution_mode: 'supervised',
    risk_tier: 'T1',
    budgets: { per_action_minor: 100, per_day_minor: 300, per_month_minor: 500 },
    valid_until: new Date(Date.now() + 30 * 86_400_000).toISOString(),
    ...changes,
  };
}

export async function draft(
  backend: Pick<Backend, 'url'>,
  sample: Sample,
  changes: Record<string, unknown> = {},
) {
  const path = `/actions/agentic/identities/${sample.identity.uid}/delegations`;
  return clientOf(backend, sample.applications.drafter.api_key).post(path, draftBody(sample, changes));
}

export async function approve(backend: Pick<Backend, 'url'>, key: string, delegation: string) {
  return clientOf(backend, key).post(`/actions/agentic/delegations/${delegation}/approve`);
}
