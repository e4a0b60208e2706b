import { anyScope } from '../any-scope.ts';
/** The facts that the records of a sample refer to, and the suffix of the names of these records. */
export type SampleFacts = {
  suffix: string;
  persons: Record<'grantor' | 'controller' | 'drafter' | 'approver', { uid: string; name: string }>;
  /** The application that casts the votes of the approver. */
  approver: { uid: string };
  /** Returns the instant `days` days from now. */
  inDays(days: number): string;
};

/** A governed record of the sample, before it is drafted. */
export type SampleRecord = {
  kind: string;
  key?: string;
  name: string;
  body: unknown;
  /** Whether all samples of a workspace share the record. */
  isShared?: boolean;
  /** Uid of the person who approves the record. Default: the controller. */
  approvedBy?: string;
};

export const SAMPLE_CURRENCY = 'EUR';
export const SAMPLE_CONNECTOR = 'sample_bank';
const IDENTITY = 'payables-agent';
const ROLE = 'delegation_approver';

const limit = {
  currency: SAMPLE_CURRENCY,
  per_action_minor: 5_000_000,
  per_day_minor: 20_000_000,
  per_month_minor: 200_000_000,
};

/**
 * Returns the governed records of a sample, in the order in which they become active: a machine identity with a
 * ceiling, a connector, the approver and the approving application, two authorities, a graph of one node, and a policy.
 */
export function sampleRecords({ suffix, persons, approver, inDays }: SampleFacts) {
  const { controller, drafter, approver: voter } = persons;
  const identity = `${IDENTITY}${suffix}`;
  const within = {
    connectors: 'any_registered',
    counterparties: 'any_registered',
    max_risk_tier: 'T2',
    limits: [limit],
    valid_from: inDays(0),
    valid_until: inDays(400),
    granted_under: null,
  };
  return {
    identity: {
      kind: 'identity',
      key: identity,
      name: `Payables agent${suffix}`,
      body: { owner_uid: drafter.uid, description: 'Pays obligations that are due.' },
    },
    ceiling: {
      kind: 'identity-ceiling',
      name: `Ceiling of the payables agent${suffix}`,
      body: { identity, limits: [limit] },
    },
    connector: {
      kind: 'connector',
      isShared: true,
      key: SAMPLE_CONNECTOR,
      name: 'Sample bank',
      body: {
        actions: ['obligation.pay', 'collateral.transfer'],
        currencies: [SAMPLE_CURRENCY, 'USD'],
        execution_modes: ['dry_run', 'supervised', 'autonomous'],
      },
    },
    membership: {
      kind: 'membership',
      name: `${voter.name} approves delegations`,
      body: { role: ROLE, person_uid: voter.uid },
    },
    binding: {
      kind: 'binding',
      name: `Approver${suffix} votes for ${voter.name}`,
      body: { application_uid: approver.uid, person_uid: voter.uid, valid_until: inDays(60) },
    },
    authority: {
      kind: 'authority',
      key: `sample-approver${suffix}`,
      name: `Authority of ${voter.name} to approve and release`,
      body: {
        ...within,
        grantee: { kind: 'user', person_uid: voter.uid },
        actions: ['obligation.pay', 'collateral.transfer', 'investment.order.submit'],
        capabilities: ['approve', 'approve_delegation', 'release'],
      },
    },
    controllerAuthority: {
      kind: 'authority',
      // A person cannot approve their own authority.
      approvedBy: drafter.uid,
      key: `sample-controller${suffix}`,
      name: `Authority of ${controller.name} to approve orders`,
      body: {
        ...within,
        grantee: { kind: 'user', person_uid: controller.uid },
        actions: ['investment.order.submit'],
        capabilities: ['approve'],
      },
    },
    graph: {
      kind: 'graph',
      isShared: true,
      key: 'sample-one-node',
      name: 'One approver for payments',
      body: {
        applies_to: { actions: ['obligation.pay'], risk_tiers: [] },
        nodes: [{ key: 'approval', quorum: 1, roles: [ROLE], users: [], timeout_hours: null }],
      },
    },
    policy: {
      kind: 'policy',
      isShared: true,
      key: 'sample-payments',
      name: 'Payments in the currencies of the sample',
      body: policy,
    },
  } satisfies Record<string, SampleRecord>;
}

const policy = {
  mode: 'enforce',
  scope: anyScope,
  rules: [
    {
      key: 'sample-currencies',
      effect: 'allow',
      // This condition comes first, so that a request without a currency does not cause an error. An error would deny
      // the request.
      when: {
        all: [
          { field: 'currency', op: 'exists', value: true },
          { field: 'currency', op: 'in', value: [SAMPLE_CURRENCY, 'USD'] },
        ],
      },
      reason_code: 'sample_currency',
      advice: 'Write a policy of your own.',
    },
  ],
  cases: [
    { name: 'euros pass', input: { currency: SAMPLE_CURRENCY }, expect: { effect: 'allow' } },
    {
      name: 'payments in other currencies are denied',
      input: { currency: 'JPY' },
      expect: { effect: 'deny' },
    },
  ],
};

const gross = [{ currency: SAMPLE_CURRENCY, limit_minor: 10_000_000 }];

/**
 * Returns the records that the sample batch is checked against. These records name the instruments of the batch's
 * orders.
 */
export function sampleBatchRules(isins: readonly string[]) {
  return {
    rules: {
      kind: 'pre-trade-rules',
      isShared: true,
      key: 'default',
      name: 'Rules of the sample',
      body: {
        max_orders: 100,
        gross,
        per_order: gross,
        known_instruments: isins.map((isin) => ({ isin })),
        restricted_instruments: [],
        valid_minutes: 60,
      },
    },
    calendar: {
      kind: 'settlement-calendar',
      isShared: true,
      key: 'default',
      name: 'Settlement on every day',
      body: { from: '2020-01-01', to: '2199-12-31', weekend: [], holidays: [] },
    },
  } satisfies Record<string, SampleRecord>;
}
