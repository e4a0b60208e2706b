import { expect } from 'chai';
import { inPlatform, inTenant } from '#lib/database/orm.ts';
import { askPolicies, type Answer } from '#lib/actions/authority/ask-policies.query.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { draftGoverned } from '#lib/governance/governed/governed-record.write.ts';
import { changeGoverned } from './governed.ts';
import type { GovernedKind } from '#lib/governance/governed/kind.ts';
import type { GovernedEvent } from '#lib/governance/governed/states.ts';
import type { PolicyInput } from '#lib/governance/policy/fields.ts';
import { policyKind, type PolicyBody } from '#lib/governance/policy/policy-kind.ts';
import { createPerson } from '#lib/access/provision.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { anyScope, policyBody } from './policy.ts';

const kind = policyKind as unknown as GovernedKind;
let count = 0;

/** Creates one more person of a workspace. */
export function addPerson(backend: Pick<Backend, 'orm'>, workspace: string): Promise<string> {
  const number = `${process.pid}-${++count}`;
  return inPlatform(backend.orm('operator'), async (em) => {
    const email = `second.${number}@example.com`;
    const { uid } = createPerson(em, {
      workspace,
      name: `Second ${number}`,
      email,
      roles: [],
      now: new Date(),
    });
    return uid;
  });
}

/** Creates a policy that two persons brought into force; returns its record. */
export async function policyInForce(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment, person }: Pick<Tenancy, 'workspace' | 'environment' | 'person'>,
  given: { key?: string; body?: PolicyBody } = {},
): Promise<GovernedRecord> {
  const second = await addPerson(backend, workspace);
  return inPlatform(backend.orm('operator'), async (em) => {
    const now = new Date();
    const drafted = await draftGoverned(em, kind, {
      tenant: { workspace, environment },
      key: given.key ?? `policy-${++count}`,
      name: 'Payments',
      body: given.body ?? policyBody(),
      by: person,
      now,
    });
    if (!drafted.ok) throw new Error(JSON.stringify(drafted.faults));
    const { uid } = drafted.record;
    for (const [event, by] of [
      ['submit', person],
      ['approve', second],
    ] as const) {
      const changed = await changeGoverned(em, kind, uid, { event, by, now });
      expect(changed.ok, JSON.stringify(changed)).to.equal(true);
    }
    return drafted.record;
  });
}

/** Returns the outcome of one person's change to a policy: the new state, or why the change was refused. */
export function changePolicy(
  backend: Pick<Backend, 'orm'>,
  uid: string,
  event: GovernedEvent,
  by: string,
): Promise<string> {
  return inPlatform(backend.orm('operator'), async (em) => {
    const changed = await changeGoverned(em, kind, uid, { event, by, reason: 'a test', now: new Date() });
    return changed.ok ? changed.result.record.state : changed.code;
  });
}

/** Creates a shadow policy of a tenancy; such a policy does not affect outcomes. Returns its uid. */
export async function createPolicy(backend: Pick<Backend, 'orm'>, tenancy: Tenancy): Promise<string> {
  return (await policyInForce(backend, tenancy, { body: policyBody({ mode: 'shadow' }) })).uid;
}

/** Creates a decision on a policy of a tenancy, about a subject that does not exist; returns its uid. */
export async function createDecision(
  backend: Pick<Backend, 'orm'>,
  tenancy: Tenancy,
  input: PolicyInput = { action: 'payment.instruct', currency: 'EUR', amount_minor: 1 },
): Promise<string> {
  // A policy denies an action if a fact that the policy needs is missing. This policy therefore applies only
  // to payments.
  const action = 'payment.instruct';
  const cases = policyBody().cases.map((each) => ({ ...each, input: { action, ...each.input } }));
  const body = policyBody({ scope: { ...anyScope, actions: [action], currencies: ['EUR'] }, cases });
  await policyInForce(backend, tenancy, { body });
  return (await askAs(backend, tenancy, input)).uid;
}

/** Evaluates the policies of a tenancy, as the API does. */
export function askAs(
  backend: Pick<Backend, 'orm'>,
  { workspace, environment }: Tenancy,
  input: PolicyInput,
): Promise<Answer> {
  const tenant = { workspace, environment };
  const subject = { type: 'delegation', uid: 'dlg_test' };
  return inTenant(backend.orm('api'), tenant, (em) =>
    askPolicies(em, { tenant, subject, graph: null, input, now: new Date() }),
  );
}
