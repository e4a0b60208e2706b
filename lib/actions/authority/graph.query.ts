import type { Em, Tenant } from '#lib/database/base.ts';
import type { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { scanRecords } from '#lib/governance/governed/governed-record.query.ts';
import { inForce } from '#lib/governance/governed/governed-record.write.ts';
import { namesOfPersons } from '#lib/access/person-names.query.ts';
import { eligibleNow, graphKind, pinnedNodes, worstReachability, type GraphBody } from './graph.ts';
import { membersOf, roleKind } from './role.ts';

export const graphStatuses = ['draft', 'active', 'degraded', 'retired'] as const;
export type GraphStatus = (typeof graphStatuses)[number];

export type GraphFilter = { status?: GraphStatus | undefined; action?: string | undefined };

export type ListedGraph = {
  record: GovernedRecord;
  body: GraphBody;
  status: GraphStatus;
  reachability: Awaited<ReturnType<typeof worstReachability>>;
  /**
   * For each node, in order: the number of persons who can vote at the node now, and the roles and users of the node.
   */
  nodes: { eligible: number; roles: Named[]; users: Named[] }[];
};

type Named = { uid: string; name: string };

/** Returns the approval graphs of a tenant, newest first. A page begins after the record with the uid `after`. */
export function listGraphs(
  em: Em,
  { tenant, now, filter }: { tenant: Tenant; now: Date; filter: GraphFilter },
  page: { after?: string | undefined; limit: number },
): Promise<ListedGraph[]> {
  return scanRecords(em, graphKind, {}, page, async (record) => {
    const body = record.body as GraphBody;
    if (filter.action && !body.applies_to.actions.includes(filter.action)) return undefined;
    const reachability = await worstReachability(em, tenant, pinnedNodes(body), now);
    const status = statusOf(record, reachability.ok);
    if (filter.status && status !== filter.status) return undefined;
    return { record, body, status, reachability, nodes: await readNodes(em, tenant, body, now) };
  });
}

function statusOf({ state }: GovernedRecord, isReachable: boolean): GraphStatus {
  if (state === 'active') return isReachable ? 'active' : 'degraded';
  return state === 'draft' || state === 'submitted' ? 'draft' : 'retired';
}

async function readNodes(em: Em, tenant: Tenant, body: GraphBody, now: Date): Promise<ListedGraph['nodes']> {
  const eligible = eligibleNow(pinnedNodes(body), await membersOf(em, tenant, now));
  const roles = new Map((await inForce(em, roleKind, tenant)).map((role) => [role.key, role]));
  const persons = await namesOfPersons(
    em,
    body.nodes.flatMap(({ users }) => users),
  );
  return body.nodes.map((node, index) => ({
    eligible: eligible[index]!,
    roles: node.roles.map((key) => {
      const { uid, name } = roles.get(key) ?? { uid: key, name: key };
      return { uid, name };
    }),
    users: node.users.map((uid) => ({ uid, name: persons.get(uid) ?? uid })),
  }));
}
