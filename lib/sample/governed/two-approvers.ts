import type { Tenant } from '#lib/database/base.ts';
import { DELEGATION_APPROVER } from '#lib/actions/authority/defaults.ts';
import { systemClock } from '#lib/core/clock.ts';
import type { SampleOperators } from '../sample-operators.ts';
import { activateRecords } from './record-makers.ts';
import type { SampleRecord } from './records.ts';

/** The action whose delegations need two persons in the sample. */
export const TWO_PERSON_ACTION = 'collateral.transfer';

const VALID_DAYS = 400;
const DAY_MS = 86_400_000;

/** The persons of a sample who make its records, and the person who gives the second vote. */
type Persons = { grantor: string; controller: string; second: string };

/**
 * Creates an approval graph of two nodes for collateral transfers, and an authority with which the second person can
 * vote. An approver votes first, then the second person or the controller. Running it again changes nothing.
 */
export async function requireTwoApprovers(
  operators: SampleOperators,
  tenant: Tenant,
  persons: Persons,
): Promise<void> {
  await activateRecords(operators, { tenant, ...persons }, recordsFor(persons, systemClock.now()));
}

function recordsFor({ controller, second }: Persons, now: Date): Record<string, SampleRecord> {
  const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS).toISOString();
  return {
    graph: {
      kind: 'graph',
      isShared: true,
      key: 'sample-two-nodes',
      name: 'Two approvers for collateral transfers',
      body: {
        applies_to: { actions: [TWO_PERSON_ACTION], risk_tiers: [] },
        nodes: [
          { key: 'treasury', quorum: 1, roles: [DELEGATION_APPROVER], users: [], timeout_hours: null },
          { key: 'control', quorum: 1, roles: [], users: [second, controller], timeout_hours: null },
        ],
      },
    },
    authority: {
      kind: 'authority',
      isShared: true,
      key: 'sample-second-approver',
      name: 'Authority to approve delegations of collateral transfers',
      body: {
        grantee: { kind: 'user', person_uid: second },
        actions: [TWO_PERSON_ACTION],
        capabilities: ['approve_delegation'],
        connectors: 'any_registered',
        counterparties: 'any_registered',
        max_risk_tier: 'T2',
        limits: [
          {
            currency: 'EUR',
            per_action_minor: 5_000_000,
            per_day_minor: 20_000_000,
            per_month_minor: 200_000_000,
          },
        ],
        valid_from: inDays(0),
        valid_until: inDays(VALID_DAYS),
        granted_under: null,
      },
    },
  };
}
