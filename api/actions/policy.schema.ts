import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Instant, Line, Nullable, PageSchema, Sha256Of, Uid } from '#lib/core/schema.ts';
import { governedStates } from '#lib/governance/governed/states.ts';
import { policyModes, PolicyRuleSchema, PolicyScopeSchema } from '#lib/governance/policy/policy.ts';

const PersonName = Closed(
  { uid: Uid(prefixes.person, 'The person.'), name: Line(200, 'Their name.', 'Ann Example') },
  { title: 'PersonName', description: 'A person, by name.' },
);

export const PolicyStatus = Type.Enum([...governedStates], {
  description:
    'Only an active one is asked with all of its rules. A suspended one allows nothing, and goes on to deny and to ' +
    'ask for approval.',
});

const Evaluation = Closed(
  {
    combining: Type.Literal('deny>require_approval>allow', { description: 'Which effect wins.' }),
    default: Type.Literal('deny', { description: 'What no rule says.' }),
    on_error: Type.Literal('deny', {
      description: 'A missing value, another type, amounts of two currencies.',
    }),
    order_independent: Type.Literal(true, {
      description: 'The order of rules and policies has no part in it.',
    }),
  },
  { title: 'PolicyEvaluation', description: 'How all policies together come to one decision.' },
);

export const Policy = Closed(
  {
    uid: Uid(prefixes.policy, 'This version of the policy.'),
    key: Type.String({
      pattern: '^[a-z][a-z0-9_.-]{0,63}$',
      description: 'The word that its versions share.',
      examples: ['payments'],
    }),
    version: Type.Integer({ minimum: 1, description: 'Its version.' }),
    name: Line(200, 'Its name.', 'Payments of machines'),
    status: PolicyStatus,
    mode: Type.Enum([...policyModes], {
      description: 'In `shadow` it is evaluated and recorded beside the decisions, and has no part in them.',
    }),
    scope: PolicyScopeSchema,
    rules: Type.Array(PolicyRuleSchema, { maxItems: 200, description: 'Its rules; they have no order.' }),
    evaluation: Evaluation,
    policy_hash: Sha256Of(
      'SHA-256 of the RFC 8785 form of `{schema: "policy/1", uid, key, version, name, mode, scope, rules}`, with ' +
        'the rules by key and the lists of the scope in order.',
    ),
    created_at: Instant,
    activated_at: Nullable(Instant, 'When it came into force; null of what never did.'),
    activated_by: Type.Array(PersonName, {
      maxItems: 2,
      description: 'Who submitted and who approved it. Empty of what never came into force.',
    }),
  },
  { title: 'Policy', description: 'A version of a policy.' },
);

export const PolicyPage = Closed(
  {
    policy_set_hash: Sha256Of(
      'SHA-256 of the RFC 8785 form of `{schema: "policy_set/1", policies}`, the hashes, in order, of the policies ' +
        'that decide now, as they are asked. Decisions name it.',
    ),
    data: Type.Array(Policy, { maxItems: 200, description: 'The rows of the page.' }),
    page: PageSchema,
  },
  { title: 'PolicyList', description: 'A page of policies.' },
);
