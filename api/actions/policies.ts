import { raw } from '@mikro-orm/core';
import Type, { type Static } from 'typebox';
import { Closed, pageQuery } from '#lib/core/schema.ts';
import type { Em } from '#lib/database/base.ts';
import { GovernedRecord } from '#lib/governance/governed/governed-record.entity.ts';
import { policiesInForce } from '#lib/governance/policy/policies-in-force.repository.ts';
import { policyHash } from '#lib/governance/policy/policy-hash.ts';
import { policyKind, policyOf } from '#lib/governance/policy/policy-kind.ts';
import { Person } from '#lib/workspace/person.entity.ts';
import { listReply } from '../http/page.ts';
import { defineOperation } from '../services.ts';
import { tenantOf } from '../tenant.ts';
import { Policy, PolicyPage, PolicyStatus } from './policy.schema.ts';

const PATH = '/actions/policies';
const word = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$', description, examples: [example] });

type Row = { record: GovernedRecord; activatedBy: { uid: string; name: string }[] };

export const listPolicies = defineOperation({
  key: 'actions.policies.list',
  product: 'Financial Actions',
  method: 'GET',
  path: PATH,
  scope: 'actions:read',
  summary: 'Lists the policies of the workspace with their scope and rules, newest first.',
  description:
    'All versions, whatever became of them. Policies are written on the operators’ surface and come into force by two ' +
    'persons. A fresh workspace has none, so that everything is denied.',
  query: Closed({
    ...pageQuery,
    status: Type.Optional(PolicyStatus),
    policy_key: Type.Optional(word('Only versions of this policy.', 'payments')),
    action: Type.Optional(word('Only policies that are about this action.', 'obligation.pay')),
  }),
  success: { status: 200, description: 'A page of policies.', schema: PolicyPage },
  problems: ['invalid_cursor'],
  async handle({ services, caller, query }) {
    const { status, policy_key: key, action } = query;
    let setHash = '';
    const reply = await listReply(services, query, {
      list: PATH,
      filters: { status: status ?? null, policy_key: key ?? null, action: action ?? null },
      hasLargeRows: true,
      rows: async (em, { after, most }) => {
        setHash = (await policiesInForce(em, tenantOf(caller))).enforced.hash;
        const records = await em.find(
          GovernedRecord,
          {
            kind: policyKind.kind,
            ...(after ? { uid: { $lt: after } } : {}),
            ...(status ? { state: status } : {}),
            ...(key ? { key } : {}),
            ...(action ? aboutAction(action) : {}),
          },
          { orderBy: { uid: 'desc' }, limit: most },
        );
        return withPersons(em, records);
      },
      present,
    });
    return { ...reply, body: { policy_set_hash: setHash, ...reply.body } };
  },
});

/** A scope without actions is about all of them. */
function aboutAction(action: string) {
  const actions = `body -> 'scope' -> 'actions'`;
  const isAbout = raw(`(${actions} = '[]'::jsonb or ${actions} @> to_jsonb(?::text))`, [action]);
  return { [isAbout as unknown as string]: true };
}

async function withPersons(em: Em, records: readonly GovernedRecord[]): Promise<Row[]> {
  const active = (record: GovernedRecord) =>
    record.activeAt ? [record.submittedByUid, record.approvedByUid].filter((uid) => uid != null) : [];
  const uids = [...new Set(records.flatMap(active))];
  const found = await em.find(Person, { uid: { $in: uids } }, { fields: ['uid', 'name'] });
  const names = new Map(found.map(({ uid, name }) => [uid, name]));
  return records.map((record) => ({
    record,
    activatedBy: active(record).map((uid) => ({ uid, name: names.get(uid)! })),
  }));
}

function present({ record, activatedBy }: Row): Static<typeof Policy> {
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
