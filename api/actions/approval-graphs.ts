import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, ListOf, Minor, Nullable, pageQuery, Sha256Of, Uid } from '#lib/core/schema.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import {
  eligibleNow,
  graphKind,
  pinnedNodes,
  worstReachability,
  type GraphBody,
} from '#lib/actions/control/graph.ts';
import { membersOf, roleKind } from '#lib/actions/control/role.ts';
import { riskTiers } from '#lib/actions/delegation/terms.ts';
import { inForce } from '#lib/governance/governed/governed-record.repository.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { Person } from '#lib/workspace/person.entity.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';

const PATH = '/actions/approval-graphs';
const statuses = ['draft', 'active', 'degraded', 'retired'] as const;

const key = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$', description, examples: [example] });
const Named = Closed(
  {
    uid: Type.String({ description: 'Its uid.', examples: ['per_01K8XQ5W3ZJ6T9R2M4N7P0QABC'] }),
    name: Type.String({ description: 'Its name.', examples: ['Aldo Approver'] }),
  },
  { title: 'Voters', description: 'Who may vote.' },
);

const Graph = Closed(
  {
    uid: Uid(prefixes.approvalGraph, 'This version of the graph.'),
    key: key('What its versions share.', 'delegation-default'),
    version: Type.Integer({ minimum: 1, description: 'A change is a new version.' }),
    name: Type.String({ description: 'Its name.', examples: ['Default for delegations'] }),
    status: Type.Enum([...statuses], {
      description:
        '`degraded` is in force, but too few independent persons can fill it: nothing can be drafted.',
    }),
    applies_to: Closed(
      {
        actions: Type.Array(key('An action.', 'obligation.pay'), { description: 'Empty: any.' }),
        risk_tiers: Type.Array(Type.Enum([...riskTiers]), { description: 'Empty: any.' }),
        currency: Nullable(Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }), 'Null: any.'),
        min_amount_minor: Nullable(Minor('The least budget of an action.'), 'Null: no bound.'),
        max_amount_minor: Nullable(Minor('The most budget of an action.'), 'Null: no bound.'),
      },
      { title: 'GraphScope', description: 'What it is for.' },
    ),
    nodes: Type.Array(
      Closed(
        {
          position: Type.Integer({
            minimum: 1,
            maximum: 9,
            description: 'A node opens when the one before is met.',
          }),
          key: key('Its name.', 'approval'),
          quorum: Type.Integer({ minimum: 1, maximum: 9, description: 'Votes that it asks for.' }),
          roles: Type.Array(Named, { description: 'Whoever has one of these roles.' }),
          users: Type.Array(Named, { description: 'These persons.' }),
          eligible_now: Type.Integer({ minimum: 0, description: 'How many persons may vote here now.' }),
          timeout_hours: Nullable(Type.Integer({ minimum: 1, maximum: 168 }), 'After how long it rejects.'),
          on_timeout: Type.Literal('reject', { description: 'Nothing is approved by waiting.' }),
        },
        { title: 'GraphNode', description: 'One step of the approval.' },
      ),
      { minItems: 1, maxItems: 9, description: 'In order.' },
    ),
    distinct_across_nodes: Type.Literal(true, { description: 'A person counts once in a graph.' }),
    initiator_excluded: Type.Literal(true, { description: 'Who drafted never counts.' }),
    reachability: Closed(
      {
        ok: Type.Boolean({ description: 'Whether all votes can be found, whoever drafts.' }),
        max_flow: Type.Integer({ minimum: 0, description: 'Votes that can be found in the worst case.' }),
        required: Type.Integer({ minimum: 1, description: 'Votes that it asks for in all.' }),
      },
      { title: 'Reachability', description: 'Whether independent persons can fill it now.' },
    ),
    graph_hash: Sha256Of('SHA-256 of it.'),
    created_at: Instant,
    activated_by: Type.Array(Uid(prefixes.person, 'A person.'), {
      maxItems: 2,
      description: 'The two persons who brought it into force; none of what a workspace starts with.',
    }),
  },
  { title: 'ApprovalGraph', description: 'Who has to approve, node after node.' },
);

export const listApprovalGraphs = defineOperation({
  key: 'actions.approval_graphs.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  summary: 'Lists the graphs of approvals, and whether they can be filled.',
  description:
    'Graphs come into force on the operators’ surface only, by two persons. A draft is pinned to the version that was ' +
    'in force when it was made.',
  query: Closed({
    ...pageQuery,
    status: Type.Optional(Type.Enum([...statuses], { description: 'Only those with this status.' })),
    action: Type.Optional(key('Only those that name this action.', 'obligation.pay')),
  }),
  success: { status: 200, description: 'A page of graphs.', schema: ListOf(Graph) },
  problems: ['invalid_cursor'],
  async handle({ services, query, caller }) {
    const now = services.clock.now();
    const { status, action } = query;
    const tenant = tenantOf(caller);
    return listReply(services, query, {
      list: PATH,
      filters: { status: status ?? null, action: action ?? null },
      hasLargeRows: true,
      rows: async (em, { after, most }) => {
        const rows: Static<typeof Graph>[] = [];
        let before = after;
        for (;;) {
          const found = await em.find(
            GovernedRecord,
            { kind: graphKind.kind, ...(before ? { uid: { $lt: before } } : {}) },
            { orderBy: { uid: 'desc' }, limit: most },
          );
          for (const each of found) {
            before = each.uid;
            const row = await present(em, tenant, each, now);
            const isWanted =
              (!status || row.status === status) && (!action || row.applies_to.actions.includes(action));
            if (isWanted) rows.push(row);
            if (rows.length === most) return rows;
          }
          if (found.length < most) return rows;
        }
      },
      present: (row) => row,
    });
  },
});

async function present(
  em: Em,
  tenant: Tenant,
  record: GovernedRecord,
  now: Date,
): Promise<Static<typeof Graph>> {
  const body = record.body as GraphBody;
  const nodes = pinnedNodes(body);
  const reachability = await worstReachability(em, tenant, nodes, now);
  const eligible = eligibleNow(nodes, await membersOf(em, tenant, now));
  const roles = await inForce(em, roleKind, tenant);
  const persons = await em.find(Person, { uid: { $in: nodes.flatMap(({ users }) => [...users]) } });
  const named = (uid: string, all: readonly { uid: string; name: string }[]) => ({
    uid,
    name: all.find((each) => each.uid === uid)?.name ?? uid,
  });
  return {
    uid: record.uid,
    key: record.key,
    version: record.version,
    name: record.name,
    status: statusOf(record, reachability.ok),
    applies_to: {
      actions: body.applies_to.actions,
      risk_tiers: body.applies_to.risk_tiers,
      currency: body.applies_to.currency ?? null,
      min_amount_minor: body.applies_to.min_amount_minor ?? null,
      max_amount_minor: body.applies_to.max_amount_minor ?? null,
    },
    nodes: body.nodes.map((node, index) => ({
      position: index + 1,
      key: node.key,
      quorum: node.quorum,
      roles: node.roles.map((role) => {
        const known = roles.find((each) => each.key === role);
        return { uid: known?.uid ?? role, name: known?.name ?? role };
      }),
      users: node.users.map((user) => named(user, persons)),
      eligible_now: eligible[index]!,
      timeout_hours: node.timeout_hours,
      on_timeout: 'reject' as const,
    })),
    distinct_across_nodes: true,
    initiator_excluded: true,
    reachability,
    graph_hash: record.bodyHash,
    created_at: record.createdAt.toISOString(),
    activated_by: [record.submittedByUid, record.approvedByUid].filter((each): each is string =>
      Boolean(each),
    ),
  };
}

function statusOf({ state }: GovernedRecord, isReachable: boolean): (typeof statuses)[number] {
  if (state === 'active') return isReachable ? 'active' : 'degraded';
  return state === 'draft' || state === 'submitted' ? 'draft' : 'retired';
}
