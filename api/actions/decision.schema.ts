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
    description: 'The version of the policy.',
    examples: ['pol_...'],
  }),
  version: Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Its number.', examples: [1] }),
  rule_key: Word('The rule.', 'small'),
};

export const Effect = Type.Enum([...policyEffects], { description: 'What was decided.' });

const Determining = Closed(
  {
    ...ofRule,
    effect: Type.Enum([...policyEffects], { description: 'What the rule says.' }),
    reason_code: Word('Stable word for programs.', 'small'),
    advice: Type.String({
      maxLength: 500,
      description: 'What a person may do.',
      examples: ['Ask for less.'],
    }),
  },
  { title: 'DeterminingRule', description: 'A rule that made the decision what it is.' },
);

const Atom = Closed(
  {
    ...ofRule,
    path: Word('Where in the rule.', '/when'),
    field: Type.Enum([...fieldNames], { description: 'What is asked about.' }),
    op: Type.Enum([...operators], { description: 'How it is compared.' }),
    expected: Value('What it is compared with; `redacted` for who may not read policies.'),
    must_hold: Type.Boolean({ description: 'How it would have to turn out.' }),
    actual: Value('What it was; `redacted` for who may not read it.'),
    bound: Type.Optional(Value('The nearest value that would do.')),
    bound_minor: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'The nearest amount that would do, in minor units.',
        examples: [500_000],
      }),
    ),
  },
  { title: 'FailedCondition', description: 'A condition that stands in the way.' },
);

const RuleError = Closed(
  { ...ofRule, path: Word('Where in the rule.', '/when'), code: Word('What went wrong.', 'missing') },
  { title: 'RuleError', description: 'A rule that could not be evaluated.' },
);

/** What a set of policies says about an input, and why. */
export const decisionMembers = {
  effect: Effect,
  default: Type.Boolean({ description: 'Whether it is denied because nothing said otherwise.' }),
  policy_set_hash: Sha256Of('The policies that were asked.'),
  input_hash: Sha256Of('What they were asked.'),
  determining: Type.Array(Determining, { maxItems: ATOMS_MAX, description: 'The rules that decided.' }),
  failed: Type.Array(Atom, { maxItems: ATOMS_MAX, description: 'Of a deny: what stands in the way.' }),
  approval_because: Type.Array(Atom, { maxItems: ATOMS_MAX, description: 'Why an approval is asked for.' }),
  atoms_omitted: Count('How many more conditions there are than listed.'),
  errors: Type.Array(RuleError, { maxItems: ATOMS_MAX, description: 'Rules that erred.' }),
  obligations: Type.Array(
    Closed(
      {
        approval_graph_key: Nullable(Word('A graph.', 'treasury'), 'The graph; null for that of the action.'),
      },
      { description: 'An approval that has to happen first.' },
    ),
    { maxItems: ATOMS_MAX, description: 'What has to happen first.' },
  ),
};

export const Shadow = Nullable(
  Closed(
    {
      effect: Type.Enum([...policyEffects], { description: 'What would be decided.' }),
      would_change: Type.Boolean({ description: 'Whether that is something else.' }),
    },
    { title: 'ShadowEffect', description: 'What would be decided with the policies in shadow.' },
  ),
  'With the policies in shadow as well; null where there are none.',
);

export const PolicyDecision = Closed(
  {
    uid: Uid(prefixes.policyDecision, 'The decision.'),
    at: Type.String({ format: 'date-time', description: 'When.', examples: ['2026-11-20T10:00:00.000Z'] }),
    subject: Closed(
      {
        type: Word('What kind.', 'delegation'),
        uid: Word('Which one.', 'dlg_01K8XQ5W3ZJ6T9R2M4N7P0QABC'),
      },
      { description: 'What it was about.' },
    ),
    ...decisionMembers,
    shadow: Shadow,
  },
  { title: 'PolicyDecision', description: 'A decision of the policies, and what it rests on.' },
);
