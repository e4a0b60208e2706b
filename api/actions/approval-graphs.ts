import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, ListOf, Minor, Nullable, pageQuery, Sha256Of, Uid } from '#lib/core/schema.ts';
import { graphStatuses, listGraphs, type ListedGraph } from '#lib/actions/authority/graph.query.ts';
import { riskTiers } from '#lib/actions/delegations/terms.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';

const PATH = '/actions/approval-graphs';

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
    status: Type.Enum([...graphStatuses], {
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
    status: Type.Optional(Type.Enum([...graphStatuses], { description: 'Only those with this status.' })),
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
      rows: (em, page) => listGraphs(em, { tenant, now, filter: { status, action } }, page),
      present,
    });
  },
});

function present({ record, body, status, reachability, nodes }: ListedGraph): Static<typeof Graph> {
  return {
    uid: record.uid,
    key: record.key,
    version: record.version,
    name: record.name,
    status,
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
      roles: nodes[index]!.roles,
      users: nodes[index]!.users,
      eligible_now: nodes[index]!.eligible,
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
