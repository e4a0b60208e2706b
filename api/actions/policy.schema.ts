import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, Line, Nullable, PageSchema, Sha256Of, Uid } from '#lib/core/schema.ts';
import { governedStates } from '#lib/governance/governed/states.ts';
import { policyModes, PolicyRuleSchema, PolicyScopeSchema } from '#lib/governance/policy/policy.ts';

const PersonName = Closed(
  {
    uid: Uid(prefixes.person, 'The uid of the person.'),
    name: Line(200, 'The name of the person.', 'Ann Example'),
  },
  { title: 'PersonName', description: 'A person, with uid and name.' },
);

export const PolicyStatus = Type.Enum([...governedStates], {
  description:
    'The status. All rules of an active policy are evaluated. A suspended policy allows nothing; its rules that deny or require approval still apply.',
});

const Evaluation = Closed(
  {
    combining: Type.Literal('deny>require_approval>allow', {
      description: 'The precedence of the effects, the strongest first.',
    }),
    default: Type.Literal('deny', { description: 'The effect if no rule matches.' }),
    on_error: Type.Literal('deny', {
      description:
        'The effect of an error: a missing value, a value of another type, or amounts in two currencies.',
    }),
    order_independent: Type.Literal(true, {
      description: 'Always true: the order of rules and policies does not matter.',
    }),
  },
  { title: 'PolicyEvaluation', description: 'How all policies together lead to one decision.' },
);

export const Policy = Closed(
  {
    uid: Uid(prefixes.policy, 'The uid of this version of the policy.'),
    key: Type.String({
      pattern: '^[a-z][a-z0-9_.-]{0,63}$',
      description: 'The key that all versions share.',
      examples: ['payments'],
    }),
    version: Type.Integer({ minimum: 1, description: 'The version of the policy.' }),
    name: Line(200, 'The name of the policy.', 'Payments of machines'),
    status: PolicyStatus,
    mode: Type.Enum([...policyModes], {
      description:
        'The mode. A policy in `shadow` is evaluated and recorded with the decisions, but does not affect them.',
    }),
    scope: PolicyScopeSchema,
    rules: Type.Array(PolicyRuleSchema, {
      maxItems: 200,
      description: 'The rules. Their order does not matter.',
    }),
    evaluation: Evaluation,
    policy_hash: Sha256Of(
      'SHA-256 of the RFC 8785 form of `{schema: "policy/1", uid, key, version, name, mode, scope, ' +
        'rules}`. The rules are sorted by key, and so are the lists of the scope.',
    ),
    created_at: Instant,
    activated_at: Nullable(Instant, 'The time of activation; null if the policy was never activated.'),
    activated_by: Type.Array(PersonName, {
      maxItems: 2,
      description: 'The persons who submitted and approved the policy. Empty if it was never activated.',
    }),
  },
  { title: 'Policy', description: 'A version of a policy.' },
);

export const PolicyPage = Closed(
  {
    policy_set_hash: Sha256Of(
      'SHA-256 of the RFC 8785 form of `{schema: "policy_set/1", policies}`, where `policies` are the ' +
        'sorted hashes of the active policies as they are evaluated. Decisions contain this hash.',
    ),
    data: Type.Array(Policy, { maxItems: 200, description: 'The policies on the page.' }),
    page: PageSchema,
  },
  { title: 'PolicyList', description: 'A page of policies.' },
);
