import Type, { type Static } from 'typebox';
import { Closed, pageQuery } from '#lib/core/schema.ts';
import { policyHash } from '#lib/governance/policy/policy-hash.ts';
import { policyOf } from '#lib/governance/policy/policy-kind.ts';
import { listPolicies as readPolicies, type ListedPolicy } from '#lib/actions/authority/policy.query.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';
import { Policy, PolicyPage, PolicyStatus } from './policy.schema.ts';

const PATH = '/actions/policies';
const word = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$', description, examples: [example] });

export const listPolicies = defineOperation({
  key: 'actions.policies.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  summary: 'Lists the policies of the workspace with their scope and rules, newest first.',
  description:
    'Returns all versions, in every status. Policies are written with the operator CLI, and two ' +
    'persons activate them. A new workspace has no policies, so every action is denied.',
  query: Closed({
    ...pageQuery,
    status: Type.Optional(PolicyStatus),
    policy_key: Type.Optional(word('Returns only versions of this policy.', 'payments')),
    action: Type.Optional(word('Returns only policies that apply to this action.', 'obligation.pay')),
  }),
  success: { status: 200, description: 'A page of policies.', schema: PolicyPage },
  problems: ['invalid_cursor'],
  async handle({ services, caller, query }) {
    const { status, policy_key: key, action } = query;
    const requested = { tenant: tenantOf(caller), filter: { state: status, key, action } };
    let setHash = '';
    const reply = await listReply(services, query, {
      list: PATH,
      filters: { status: status ?? null, policy_key: key ?? null, action: action ?? null },
      hasLargeRows: true,
      rows: async (em, page) => {
        const read = await readPolicies(em, requested, page);
        setHash = read.setHash;
        return read.policies;
      },
      present,
    });
    return { ...reply, body: { policy_set_hash: setHash, ...reply.body } };
  },
});

function present({ record, activatedBy }: ListedPolicy): Static<typeof Policy> {
  const policy = policyOf(record);
  const { uid, key, version, name, mode, scope, rules } = policy;
  return {
    uid,
    key,
    version,
    name,
    status: record.state,
    mode,
    scope,
    rules: rules as unknown as Static<typeof Policy>['rules'],
    evaluation: {
      combining: 'deny>require_approval>allow',
      default: 'deny',
      on_error: 'deny',
      order_independent: true,
    },
    policy_hash: policyHash(policy),
    created_at: record.createdAt.toISOString(),
    activated_at: record.activeAt?.toISOString() ?? null,
    activated_by: activatedBy,
  };
}
