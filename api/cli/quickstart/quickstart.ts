import { systemClock } from '#lib/core/clock.ts';
import type { Tenant } from '#lib/database/base.ts';
import { controlKinds } from '#lib/actions/control/kinds.ts';
import { DELEGATION_APPROVER } from '#lib/actions/control/defaults.ts';
import { prepareSample } from '#lib/actions/sample/access.command.ts';
import { writeSampleObligation } from '#lib/actions/sample/obligation.command.ts';
import { governBy, unnamed } from '../shell/govern.ts';
import { sampleBatch } from './batch.ts';
import {
  bringIntoForce,
  ensureInForce,
  sampleApplication,
  sampleParty,
  samplePerson,
  type Hands,
} from './sample.ts';

const DAY_MS = 86_400_000;
const CURRENCY = 'EUR';
const CONNECTOR = 'sample_bank';
const IDENTITY = 'payables-agent';

const allOf = {
  environments: [],
  actions: [],
  connectors: [],
  currencies: [],
  counterparties: [],
  risk_tiers: [],
  execution_modes: [],
};

const samplePolicy = {
  mode: 'enforce',
  scope: allOf,
  rules: [
    {
      key: 'sample-currencies',
      effect: 'allow',
      // Guarded, so that what has no currency is no error, which would deny it: policies of your own decide it.
      when: {
        all: [
          { field: 'currency', op: 'exists', value: true },
          { field: 'currency', op: 'in', value: [CURRENCY, 'USD'] },
        ],
      },
      reason_code: 'sample_currency',
      advice: 'Write a policy of your own.',
    },
  ],
  cases: [
    { name: 'euros pass', input: { currency: 'EUR' }, expect: { effect: 'allow' } },
    { name: 'other currencies do not', input: { currency: 'JPY' }, expect: { effect: 'deny' } },
  ],
};

/**
 * A whole governed sample in the sandbox: four persons, an application that drafts, one that approves and one that does
 * neither, a machine identity with a ceiling, a connector, a graph of one node, two authorities, a policy, an
 * obligation, and a released and confirmed batch of orders that waits for custody. Each call makes a sample of its own. A call that
 * fails leaves what it made before.
 */
export async function governQuickstart(hands: Hands, workspace: string) {
  const tenant: Tenant = { workspace, environment: 'sandbox' };
  const { result: suffix } = await governBy(hands, prepareSample, { workspace }, unnamed);
  const now = systemClock.now();
  const persons = {
    grantor: await samplePerson(hands, tenant, 'Grace Grantor', suffix, ['owner']),
    controller: await samplePerson(hands, tenant, 'Carl Controller', suffix, ['controller']),
    drafter: await samplePerson(hands, tenant, 'Dora Drafter', suffix, ['treasury']),
    approver: await samplePerson(hands, tenant, 'Aldo Approver', suffix, ['treasury']),
  };
  const applications = {
    drafter: await sampleApplication(hands, tenant, { name: `Drafter${suffix}`, owner: persons.drafter.uid }),
    approver: await sampleApplication(hands, tenant, {
      name: `Approver${suffix}`,
      owner: persons.approver.uid,
      without: ['actions:create'],
    }),
    outsider: await sampleApplication(hands, tenant, {
      name: `Outsider${suffix}`,
      owner: persons.controller.uid,
    }),
  };
  const makers = { tenant, grantor: persons.grantor.uid, controller: persons.controller.uid };
  const { identity, binding, membership, connector, authority, graph, policy } = controlKinds;
  const counterparty = await sampleParty(hands, makers, {
    kind: 'counterparty',
    name: 'Sample supplier',
    key: null,
  });
  const custodian = await sampleParty(hands, makers, {
    kind: 'custodian',
    name: 'Sample custodian',
    key: 'sample_custodian',
  });
  const machine = await bringIntoForce(hands, makers, identity!, {
    key: `${IDENTITY}${suffix}`,
    name: `Payables agent${suffix}`,
    body: { owner_uid: persons.drafter.uid, description: 'Pays what is due.' },
  });
  const limit = {
    currency: CURRENCY,
    per_action_minor: 5_000_000,
    per_day_minor: 20_000_000,
    per_month_minor: 200_000_000,
  };
  await bringIntoForce(hands, makers, controlKinds['identity-ceiling']!, {
    name: `Ceiling of the payables agent${suffix}`,
    body: { identity: machine.key, limits: [limit] },
  });
  await ensureInForce(hands, makers, connector!, {
    key: CONNECTOR,
    name: 'Sample bank',
    body: {
      actions: ['obligation.pay', 'collateral.transfer'],
      currencies: [CURRENCY, 'USD'],
      execution_modes: ['dry_run', 'supervised', 'autonomous'],
    },
  });
  await bringIntoForce(hands, makers, membership!, {
    name: `${persons.approver.name} approves delegations`,
    body: { role: DELEGATION_APPROVER, person_uid: persons.approver.uid },
  });
  await bringIntoForce(hands, makers, binding!, {
    name: `Approver${suffix} speaks for ${persons.approver.name}`,
    body: {
      application_uid: applications.approver.uid,
      person_uid: persons.approver.uid,
      valid_until: new Date(now.getTime() + 60 * DAY_MS).toISOString(),
    },
  });
  const within = {
    connectors: 'any_registered',
    counterparties: 'any_registered',
    max_risk_tier: 'T2',
    limits: [limit],
    valid_from: now.toISOString(),
    valid_until: new Date(now.getTime() + 400 * DAY_MS).toISOString(),
    granted_under: null,
  };
  const given = await bringIntoForce(hands, makers, authority!, {
    key: `sample-approver${suffix}`,
    name: `What ${persons.approver.name} may approve and release`,
    body: {
      ...within,
      grantee: { kind: 'user', person_uid: persons.approver.uid },
      actions: ['obligation.pay', 'collateral.transfer', 'investment.order.submit'],
      capabilities: ['approve', 'approve_delegation', 'release'],
    },
  });
  // Nobody approves an authority of their own.
  await bringIntoForce(hands, { ...makers, controller: persons.drafter.uid }, authority!, {
    key: `sample-controller${suffix}`,
    name: `Which orders ${persons.controller.name} may approve`,
    body: {
      ...within,
      grantee: { kind: 'user', person_uid: persons.controller.uid },
      actions: ['investment.order.submit'],
      capabilities: ['approve'],
    },
  });
  const oneNode = await ensureInForce(hands, makers, graph!, {
    key: 'sample-one-node',
    name: 'One approver for payments',
    body: {
      applies_to: { actions: ['obligation.pay'], risk_tiers: [] },
      nodes: [{ key: 'approval', quorum: 1, roles: [DELEGATION_APPROVER], users: [], timeout_hours: null }],
    },
  });
  const allowed = await ensureInForce(hands, makers, policy!, {
    key: 'sample-payments',
    name: 'Payments in the currencies of the sample',
    body: samplePolicy,
  });
  return {
    persons,
    applications,
    identity: { uid: machine.uid },
    connector: CONNECTOR,
    counterparty_id: counterparty.id,
    currency: CURRENCY,
    obligation: await hands.query(tenant, writeSampleObligation, {
      tenant,
      by: makers.grantor,
      application: applications.drafter.uid,
      counterparty: counterparty.id,
      currency: CURRENCY,
      suffix,
      now: systemClock.now(),
    }),
    graph: { uid: oneNode.uid },
    authority: { uid: given.uid },
    policy: { uid: allowed.uid },
    batch: await sampleBatch(hands, makers, { releaser: persons.approver.uid, suffix }),
    custodian: custodian.key!,
  };
}
