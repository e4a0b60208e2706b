import type { Em } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { DELEGATION_APPROVER, writeDefaults } from '#lib/actions/authority/defaults.ts';
import { controlKinds } from '#lib/actions/authority/kinds.ts';
import { bootstrapGoverned } from '#lib/governance/governed/governed-record.write.ts';
import { ensureInForce, sampleParty, type RecordMakers } from '#lib/sample/governed/record-makers.ts';
import { createPerson } from '#lib/access/provision.ts';
import type { Backend } from './backends.ts';
import type { Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { inDays } from './control.ts';
import { handsOf } from './governed.ts';

const limits = [
  { currency: 'EUR', per_action_minor: 500_000, per_day_minor: 2_000_000, per_month_minor: 20_000_000 },
];

/** Creates a machine identity of a tenancy, with everything that a draft needs. Returns its uid. */
export async function createIdentity(backend: Backend, tenancy: Tenancy): Promise<string> {
  const { workspace, environment } = tenancy;
  const [grantor, controller, approver] = await inPlatform(backend.orm('operator'), async (em) => {
    const now = new Date();
    await writeDefaults(em, workspace, now);
    return Promise.all(
      (['owner', 'controller', 'approver'] as const).map((role) => newPerson(em, workspace, role, now)),
    );
  });
  const hands = handsOf(backend.orm('operator'));
  const makers: RecordMakers = {
    tenant: { workspace, environment },
    grantor: grantor!,
    controller: controller!,
  };
  const put = (kind: string, key: string, body: unknown) =>
    ensureInForce(hands, makers, controlKinds[kind]!, { key, name: key, body });
  await put('ceiling', 'workspace', { limits });
  await put('connector', 'sepa_ct', {
    actions: ['obligation.pay'],
    currencies: ['EUR'],
    execution_modes: ['dry_run', 'supervised', 'autonomous'],
  });
  await sampleParty(hands, makers, { kind: 'counterparty', name: 'Party', key: null });
  await put('membership', `${DELEGATION_APPROVER}.${approver}`.slice(0, 64), {
    role: DELEGATION_APPROVER,
    person_uid: approver,
  });
  const identity = await put('identity', 'agent', { owner_uid: tenancy.person });
  await put('identity-ceiling', 'agent', { identity: 'agent', limits });
  return identity.uid;
}

async function newPerson(em: Em, workspace: string, role: string, now: Date): Promise<string> {
  const email = `${role}.${Math.random().toString(36).slice(2)}@example.com`;
  return createPerson(em, { workspace, name: `The ${role}`, email, roles: [role], now }).uid;
}

/** Creates a draft of a tenancy. Returns its uid. */
export async function createDelegation(backend: Backend, tenancy: Tenancy): Promise<string> {
  const identity = await createIdentity(backend, tenancy);
  const counterparty = await inPlatform(backend.orm('operator'), async (em) => {
    const [row] = await em
      .getConnection()
      .execute<{ id: number }[]>(
        `select id from counterparty where workspace_uid = ? and name = 'Party'`,
        [tenancy.workspace],
        'all',
        em.getTransactionContext(),
      );
    return row!.id;
  });
  const { status, body } = await clientOf(backend, tenancy.key).post(
    `/actions/agentic/identities/${identity}/delegations`,
    {
      action: 'obligation.pay',
      counterparty_id: counterparty,
      connector: 'sepa_ct',
      currency: 'EUR',
      execution_mode: 'supervised',
      risk_tier: 'T1',
      budgets: { per_action_minor: 100, per_day_minor: 200, per_month_minor: 300 },
      valid_until: inDays(30),
    },
  );
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.uid;
}

/** Creates an authority of a person in a tenancy. Returns its uid. */
export async function createAuthority(backend: Backend, tenancy: Tenancy): Promise<string> {
  await createIdentity(backend, tenancy);
  const { workspace, environment, person } = tenancy;
  const now = new Date();
  const [grantor, controller] = await inPlatform(backend.orm('operator'), async (em) => [
    await newPerson(em, workspace, 'owner', now),
    await newPerson(em, workspace, 'controller', now),
  ]);
  const makers: RecordMakers = {
    tenant: { workspace, environment },
    grantor: grantor!,
    controller: controller!,
  };
  const hands = handsOf(backend.orm('operator'));
  const authority = await ensureInForce(hands, makers, controlKinds['authority']!, {
    key: `authority-${Math.random().toString(36).slice(2)}`,
    name: 'Approver',
    body: {
      grantee: { kind: 'user', person_uid: person },
      actions: ['obligation.pay'],
      capabilities: ['approve_delegation'],
      connectors: 'any_registered',
      counterparties: 'any_registered',
      max_risk_tier: 'T1',
      limits,
      valid_from: now.toISOString(),
      valid_until: inDays(30),
      granted_under: null,
    },
  });
  return authority.uid;
}

/** Creates an approval graph of a tenancy. Returns its uid. */
export async function createGraph(backend: Backend, tenancy: Tenancy): Promise<string> {
  return inPlatform(backend.orm('operator'), async (em) => {
    const { workspace, environment } = tenancy;
    const now = new Date();
    const tenant = { workspace, environment };
    await bootstrapGoverned(em, controlKinds['role']!, {
      tenant,
      key: DELEGATION_APPROVER,
      name: 'Approver',
      body: {},
      now,
    });
    const graph = await bootstrapGoverned(em, controlKinds['graph']!, {
      tenant,
      key: `graph-${Math.random().toString(36).slice(2)}`,
      name: 'One of the approvers',
      body: {
        applies_to: { actions: [], risk_tiers: [] },
        nodes: [{ key: 'approval', quorum: 1, roles: [DELEGATION_APPROVER], users: [], timeout_hours: null }],
      },
      now,
    });
    return graph!.uid;
  });
}
