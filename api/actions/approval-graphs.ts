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
    uid: Type.String({
      description: 'The uid of the role or person.',
      examples: ['per_01K8XQ5W3ZJ6T9R2M4N7P0QABC'],
    }),
    name: Type.String({ description: 'The name of the role or person.', examples: ['Aldo Approver'] }),
  },
  { title: 'Voters', description: 'A role or person that may vote.' },
);

const Graph = Closed(
  {
    uid: Uid(prefixes.approvalGraph, 'The uid of this version of the graph.'),
    key: key('The key that all versions share.', 'delegation-default'),
    version: Type.Integer({ minimum: 1, description: 'The version. Each change is a new version.' }),
    name: Type.String({ description: 'The name of the graph.', examples: ['Default for delegations'] }),
    status: Type.Enum([...graphStatuses], {
      description:
        'The status. A `degraded` graph is active, but too few independent persons can vote. No delegation can be drafted under a degraded graph.',
    }),
    applies_to: Closed(
      {
        actions: Type.Array(key('The key of an action.', 'obligation.pay'), {
          description: 'The actions that the graph applies to. Empty means all.',
        }),
        risk_tiers: Type.Array(Type.Enum([...riskTiers]), {
          description: 'The risk tiers that the graph applies to. Empty means all.',
        }),
        currency: Nullable(
          Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
          'The currency that the graph applies to, ISO 4217; null means all.',
        ),
        min_amount_minor: Nullable(
          Minor('The lowest budget per action that the graph applies to, in minor units.'),
          'The lowest budget per action that the graph applies to, in minor units; null if there is no lower bound.',
        ),
        max_amount_minor: Nullable(
          Minor('The highest budget per action that the graph applies to, in minor units.'),
          'The highest budget per action that the graph applies to, in minor units; null if there is no upper bound.',
        ),
      },
      { title: 'GraphScope', description: 'The terms that the graph applies to.' },
    ),
    nodes: Type.Array(
      Closed(
        {
          position: Type.Integer({
            minimum: 1,
            maximum: 9,
            description: 'The position of the node. A node opens when the previous node has its quorum.',
          }),
          key: key('The key of the node.', 'approval'),
          quorum: Type.Integer({
            minimum: 1,
            maximum: 9,
            description: 'The number of required votes, 1 to 9.',
          }),
          roles: Type.Array(Named, { description: 'The roles whose members may vote.' }),
          users: Type.Array(Named, { description: 'The persons who may vote.' }),
          eligible_now: Type.Integer({
            minimum: 0,
            description: 'The number of persons who can vote at this node now.',
          }),
          timeout_hours: Nullable(
            Type.Integer({ minimum: 1, maximum: 168 }),
            'Hours after which an open node rejects the draft; null if the node has no timeout.',
          ),
          on_timeout: Type.Literal('reject', {
            description: 'The effect of a timeout: the draft is always rejected.',
          }),
        },
        { title: 'GraphNode', description: 'A node of an approval graph: one step of the approval.' },
      ),
      { minItems: 1, maxItems: 9, description: 'The nodes, in order.' },
    ),
    distinct_across_nodes: Type.Literal(true, {
      description: 'Always true: a person can cast at most one vote in a graph.',
    }),
    initiator_excluded: Type.Literal(true, { description: 'Always true: the drafter cannot vote.' }),
    reachability: Closed(
      {
        ok: Type.Boolean({
          description: 'Whether enough independent persons can vote, regardless of the drafter.',
        }),
        max_flow: Type.Integer({
          minimum: 0,
          description:
            'How many of the required votes can be cast if each person casts at most one. The drafter is assumed to be the person who leaves the fewest.',
        }),
        required: Type.Integer({ minimum: 1, description: 'The total number of required votes.' }),
      },
      {
        title: 'Reachability',
        description: 'Whether enough independent persons can currently vote to complete the approval graph.',
      },
    ),
    graph_hash: Sha256Of('SHA-256 of the graph.'),
    created_at: Instant,
    activated_by: Type.Array(Uid(prefixes.person, 'The uid of a person.'), {
      maxItems: 2,
      description: 'The two persons who activated the graph. Empty for the default graphs of a workspace.',
    }),
  },
  {
    title: 'ApprovalGraph',
    description: 'An approval graph: the persons who must approve, in a sequence of nodes.',
  },
);

export const listApprovalGraphs = defineOperation({
  key: 'actions.approval_graphs.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  summary: 'Lists the approval graphs, and whether enough independent persons can vote in each.',
  description:
    'Two persons activate a graph with the operator CLI; credentials cannot. The draft of a delegation is bound to the version that was active when the draft was made.',
  query: Closed({
    ...pageQuery,
    status: Type.Optional(
      Type.Enum([...graphStatuses], { description: 'Returns only graphs with this status.' }),
    ),
    action: Type.Optional(key('Returns only graphs that name this action.', 'obligation.pay')),
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
