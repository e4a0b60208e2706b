import Type from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { fieldNames } from '#lib/governance/policy/fields.ts';
import { operators } from '#lib/governance/policy/operators.ts';
import { policyEffects } from '#lib/governance/policy/policy.ts';

const ATOMS_MAX = 1_000;

const Word = (description: string, example: string) =>
  Type.String({ maxLength: 200, description, examples: [example] });
const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: 2_147_483_647, description, examples: [0] });

const Scalar = Type.Union([Type.String({ maxLength: 200 }), Type.Number(), Type.Boolean()]);
const Value = (description: string) =>
  Type.Union([Scalar, Type.Array(Scalar, { maxItems: 1_000 }), Type.Null()], {
    description,
    examples: [500_000],
  });

const ofRule = {
  policy_uid: Type.String({
    maxLength: 50,
    description: 'The uid of the version of the policy.',
    examples: ['pol_...'],
  }),
  version: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description: 'The version number.',
    examples: [1],
  }),
  rule_key: Word('The key of the rule.', 'small'),
};

export const Effect = Type.Enum([...policyEffects], { description: 'The decision.' });

const Determining = Closed(
  {
    ...ofRule,
    effect: Type.Enum([...policyEffects], { description: 'The effect of the rule.' }),
    reason_code: Word('A stable reason code for programs.', 'small'),
    advice: Type.String({
      maxLength: 500,
      description: 'Advice to a person who is affected by the decision.',
      examples: ['Ask for less.'],
    }),
  },
  { title: 'DeterminingRule', description: 'A rule that determined the decision.' },
);

const Atom = Closed(
  {
    ...ofRule,
    path: Word('The location in the rule.', '/when'),
    field: Type.Enum([...fieldNames], { description: 'The field that is compared.' }),
    op: Type.Enum([...operators], { description: 'The operator of the comparison.' }),
    expected: Value(
      'The value that the field is compared with; `redacted` for callers who may not read policies.',
    ),
    must_hold: Type.Boolean({
      description:
        'Whether the condition must hold (true) or must not hold (false) for the action to be allowed.',
    }),
    actual: Value('The actual value; `redacted` for callers who may not read it.'),
    bound: Type.Optional(Value('The nearest value of the field that would satisfy `must_hold`.')),
    bound_minor: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The nearest amount that would satisfy `must_hold`, in minor units.',
        examples: [500_000],
      }),
    ),
  },
  { title: 'FailedCondition', description: 'A condition that blocks the action.' },
);

const RuleError = Closed(
  {
    ...ofRule,
    path: Word('The location in the rule.', '/when'),
    code: Word('The code of the error.', 'missing'),
  },
  { title: 'RuleError', description: 'A rule that could not be evaluated.' },
);

/** The fields that every policy decision has: its effect and its reasons. */
export const decisionMembers = {
  effect: Effect,
  default: Type.Boolean({ description: 'Whether the action is denied because no rule matched.' }),
  policy_set_hash: Sha256Of('SHA-256 of the evaluated policies.'),
  input_hash: Sha256Of('SHA-256 of the evaluated input.'),
  determining: Type.Array(Determining, {
    maxItems: ATOMS_MAX,
    description: 'The rules that determined the decision.',
  }),
  failed: Type.Array(Atom, {
    maxItems: ATOMS_MAX,
    description: 'The conditions that block a denied action.',
  }),
  approval_because: Type.Array(Atom, {
    maxItems: ATOMS_MAX,
    description: 'The conditions that require the approval.',
  }),
  atoms_omitted: Count('The number of conditions that are not listed.'),
  errors: Type.Array(RuleError, {
    maxItems: ATOMS_MAX,
    description: 'The rules that could not be evaluated.',
  }),
  obligations: Type.Array(
    Closed(
      {
        approval_graph_key: Nullable(
          Word('The key of a graph.', 'treasury'),
          'The key of the approval graph; null means the graph of the action.',
        ),
      },
      { description: 'An approval that must be given before the action.' },
    ),
    { maxItems: ATOMS_MAX, description: 'The approvals that must be given before the action.' },
  ),
};

export const Shadow = Nullable(
  Closed(
    {
      effect: Type.Enum([...policyEffects], {
        description: 'The effect if the shadow policies were enforced.',
      }),
      would_change: Type.Boolean({
        description: 'Whether the decision would be different if the shadow policies were enforced.',
      }),
    },
    { title: 'ShadowEffect', description: 'The decision if the shadow policies were enforced.' },
  ),
  'The decision if the shadow policies were enforced; null if there are no shadow policies.',
);

export const PolicyDecision = Closed(
  {
    uid: Uid(prefixes.policyDecision, 'The uid of the decision.'),
    at: Type.String({
      format: 'date-time',
      description: 'The time of the decision.',
      examples: ['2026-11-20T10:00:00.000Z'],
    }),
    subject: Closed(
      {
        type: Word('The type of the subject.', 'delegation'),
        uid: Word('The uid of the subject.', 'dlg_01K8XQ5W3ZJ6T9R2M4N7P0QABC'),
      },
      { description: 'The subject of the decision.' },
    ),
    ...decisionMembers,
    shadow: Shadow,
  },
  { title: 'PolicyDecision', description: 'A policy decision, with its reasons.' },
);
