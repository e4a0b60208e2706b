import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Minor, Nullable } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import {
  inForce,
  inForceOrSuspended,
  type Governed,
} from '#lib/governance/governed/governed-record.write.ts';
import { defineKind, type BodyFault } from '#lib/governance/governed/kind.ts';
import { personsOf } from '../delegations/independence.ts';
import { eligibleAt, reachability, withPresent, type PinnedNode } from '../delegations/quorum.ts';
import { listApplicationPersons } from '../delegations/application-persons.query.ts';
import { riskTiers, type DelegationTerms } from '../delegations/terms.ts';
import { actionFaults } from './action.ts';
import { identityKind } from './identity.ts';
import { CurrencyCode } from './limits.ts';
import { activePersons, fault, KeyWord, membersOf, personFaults, roleKind } from './role.ts';

const Node = Closed({
  key: KeyWord,
  quorum: Type.Integer({ minimum: 1, maximum: 9 }),
  roles: Type.Array(KeyWord, { maxItems: 20, uniqueItems: true }),
  users: Type.Array(Type.String({ maxLength: 40 }), { maxItems: 50, uniqueItems: true }),
  timeout_hours: Nullable(Type.Integer({ minimum: 1, maximum: 168 })),
});

export const GraphBody = Closed({
  applies_to: Closed({
    actions: Type.Array(KeyWord, { maxItems: 100, uniqueItems: true }),
    risk_tiers: Type.Array(Type.Enum([...riskTiers]), { uniqueItems: true }),
    currency: Type.Optional(CurrencyCode),
    min_amount_minor: Type.Optional(
      Minor('The lowest budget per action that the graph applies to, in minor units.'),
    ),
    max_amount_minor: Type.Optional(
      Minor('The highest budget per action that the graph applies to, in minor units.'),
    ),
  }),
  nodes: Type.Array(Node, { minItems: 1, maxItems: 9 }),
});
export type GraphBody = Static<typeof GraphBody>;
export type Graph = Governed<typeof GraphBody>;

/**
 * The persons who must approve, and in which order. Each person is counted at most once in a graph, and the drafter is
 * never counted.
 */
export const graphKind = defineKind({
  kind: 'graph',
  prefix: prefixes.approvalGraph,
  schema: GraphBody,
  // Ending an approval graph is refused, because another graph that requires fewer votes could then apply to the same
  // actions.
  mayBeEnded: () => false,
  async check(em, body, { tenant, now, by }) {
    const faults = await actionFaults(em, tenant, body.applies_to.actions, '/applies_to/actions');
    const roles = new Set((await inForce(em, roleKind, tenant)).map(({ key }) => key));
    for (const [index, node] of body.nodes.entries()) {
      const at = `/nodes/${index}`;
      if (!node.roles.length && !node.users.length) {
        faults.push(fault(at, 'node_without_voters', 'must name a role or a person'));
      }
      node.roles.forEach((role, position) => {
        if (!roles.has(role)) {
          faults.push(fault(`${at}/roles/${position}`, 'unknown_role', 'must be an active role'));
        }
      });
      for (const [position, user] of node.users.entries()) {
        faults.push(...(await personFaults(em, tenant, user, `${at}/users/${position}`)));
      }
    }
    const { currency, min_amount_minor: min, max_amount_minor: max } = body.applies_to;
    if (currency === undefined && (min !== undefined || max !== undefined)) {
      const message = 'must be present, because an amount needs a currency';
      faults.push(fault('/applies_to/currency', 'currency_missing', message));
    }
    if (faults.length || by === null) return faults;
    return unreachable(await worstReachability(em, tenant, pinnedNodes(body), now));
  },
});

function unreachable({
  ok,
  max_flow,
  required,
}: {
  ok: boolean;
  max_flow: number;
  required: number;
}): BodyFault[] {
  const message = `must not need more votes than independent persons can cast, one vote each: ${required} votes are needed, but only ${max_flow} of them can be cast`;
  return ok ? [] : [fault('/nodes', 'quorum_unreachable', message)];
}

/** Returns the nodes with their positions, 1 to n. */
export function pinnedNodes({ nodes }: GraphBody): PinnedNode[] {
  return nodes.map(({ key, quorum, roles, users, timeout_hours }, index) => ({
    position: index + 1,
    key,
    quorum,
    roles,
    users,
    timeout_hours,
  }));
}

/**
 * Returns the reachability of the graph in the worst case, which has the smallest `max_flow`. Each case is a pair: an
 * application that may draft, and the owner of a machine identity. The owner and the persons related to the application
 * cannot vote.
 */
export async function worstReachability(em: Em, tenant: Tenant, nodes: readonly PinnedNode[], now: Date) {
  const members = await membersOf(em, tenant, now);
  const present = withPresent(nodes, new Set(await activePersons(em, tenant)));
  const applications = (await listApplicationPersons(em, tenant, now))
    .filter(({ mayDraft }) => mayDraft)
    .map(personsOf);
  const owners = (await inForce(em, identityKind, tenant)).map(({ body }) => body.owner_uid);
  const excluded = (applications.length ? applications : [[]]).flatMap((side) =>
    (owners.length ? owners : ['']).map((owner) => new Set([...side, owner])),
  );
  return excluded
    .map((without) => reachability(present, members, without))
    .reduce((worst, each) => (each.max_flow < worst.max_flow ? each : worst));
}

/** Returns the number of persons who can vote at each node now. */
export function eligibleNow(
  nodes: readonly PinnedNode[],
  members: ReadonlyMap<string, readonly string[]>,
): number[] {
  return nodes.map((node) => eligibleAt(node, members).length);
}

/**
 * Returns the approval graph for terms. If several graphs apply, chooses the graph that requires the most
 * votes, then the graph with the most conditions, then the first graph by key. Returns undefined while the
 * chosen graph is suspended.
 */
export async function graphFor(em: Em, tenant: Tenant, terms: DelegationTerms): Promise<Graph | undefined> {
  const inForceNow = await inForceOrSuspended(em, graphKind, tenant);
  const applying = inForceNow.filter(({ body }) => applies(body, terms));
  const votes = ({ body }: Graph) => body.nodes.reduce((sum, { quorum }) => sum + quorum, 0);
  const special = ({ body: { applies_to: of } }: Graph) =>
    Object.values(of).filter((each) => !Array.isArray(each) || each.length > 0).length;
  const [first] = applying.sort(
    (a, b) => votes(b) - votes(a) || special(b) - special(a) || (a.key < b.key ? -1 : 1),
  );
  return first?.state === 'active' ? first : undefined;
}

function applies({ applies_to }: GraphBody, terms: DelegationTerms): boolean {
  const { actions, risk_tiers, currency, min_amount_minor: min, max_amount_minor: max } = applies_to;
  const amount = terms.budgets.per_action_minor;
  return (
    (!actions.length || actions.includes(terms.action)) &&
    (!risk_tiers.length || risk_tiers.includes(terms.risk_tier)) &&
    (currency === undefined || currency === terms.currency) &&
    (min === undefined || amount >= min) &&
    (max === undefined || amount <= max)
  );
}
