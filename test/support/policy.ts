import fc from 'fast-check';
import { checkCondition, type Condition } from '#lib/governance/policy/condition.ts';
import { fieldNames, fields, type Field, type FieldName } from '#lib/governance/policy/fields.ts';
import { literalOf, operatorsOf } from '#lib/governance/policy/operators.ts';
import type { PolicyBody } from '#lib/governance/policy/policy-kind.ts';
import { policyEffects, type Policy, type PolicyRule } from '#lib/governance/policy/policy.ts';
import { junk } from './arbitrary.ts';

export const anyScope: Policy['scope'] = {
  environments: [],
  actions: [],
  connectors: [],
  currencies: [],
  counterparties: [],
  risk_tiers: [],
  execution_modes: [],
};

export const always: Condition = { all: [] };

export function ruleOf(key: string, effect: PolicyRule['effect'], when: unknown = always): PolicyRule {
  return { key, effect, when: when as Condition, reason_code: 'test', advice: 'None.' };
}

export function policyOf(rules: readonly PolicyRule[], given: Partial<Policy> = {}): Policy {
  return {
    uid: 'pol_1',
    key: 'test',
    version: 1,
    name: 'Test',
    mode: 'enforce',
    scope: anyScope,
    rules,
    ...given,
  };
}

/**
 * Returns the body of a draft policy: it allows small payments in euros, requires approval for larger
 * payments, and denies payments to a disputed source.
 */
export function policyBody(given: Partial<PolicyBody> = {}): PolicyBody {
  const amount = (op: string) => ({ field: 'amount_minor', op, value: 500_000 });
  const disputed = { field: 'obligation.governance_state', op: 'eq', value: 'disputed' };
  const known = { field: 'obligation.governance_state', op: 'exists', value: true };
  return {
    mode: 'enforce',
    scope: { ...anyScope, currencies: ['EUR'] },
    rules: [
      ruleOf('small', 'allow', amount('lte')),
      ruleOf('large', 'require_approval', amount('gt')),
      ruleOf('disputed', 'deny', { all: [known, disputed] }),
    ] as unknown as PolicyBody['rules'],
    cases: [
      {
        name: 'a small payment passes',
        input: { currency: 'EUR', amount_minor: 500_000 },
        expect: { effect: 'allow' },
      },
      {
        name: 'a large one needs approval',
        input: { currency: 'EUR', amount_minor: 500_001 },
        expect: { effect: 'require_approval', rules: ['large'] },
      },
    ],
    ...given,
  };
}

/** Returns a few values of a field, so that generated inputs often satisfy generated conditions. */
function pool(name: FieldName): unknown[] {
  const { type, values }: Field = fields[name];
  if (values) return [...values.slice(0, 3)];
  if (name === 'currency' || name === 'batch.currencies') return ['EUR', 'USD'];
  if (name.endsWith('uid')) return ['idn_01K8XQ5W3ZJ6T9R2M4N7P0QABC', 'idn_01K8XQ5W3ZJ6T9R2M4N7P0QABD'];
  if (type === 'instant') return ['2026-01-01T00:00:00.000Z', '2026-06-30T12:00:00.001Z'];
  if (type === 'boolean') return [true, false];
  return type === 'text' || type === 'set' ? ['a', 'b.c', 'd_e'] : [1, 2, 3, 5, 7];
}

/**
 * The fields of generated conditions: a few of every type, so that conditions and inputs often share a field.
 */
const used: readonly FieldName[] = [
  'currency',
  'action',
  'connector',
  'risk_tier',
  'counterparty_id',
  'amount_minor',
  'usage.day_minor',
  'local_time.hour',
  'now',
  'workflow.has_effects',
  'batch.currencies',
];

const atom: fc.Arbitrary<Condition> = fc.constantFrom(...used).chain((field) =>
  fc.constantFrom(...operatorsOf[fields[field].type]).chain((op) => {
    const one = fc.constantFrom(...pool(field));
    const value = {
      one,
      flag: fc.boolean(),
      many: fc.array(one, { minLength: 1, maxLength: 3 }),
      pair: fc.tuple(one, one).map((pair) => pair.toSorted((a: any, b: any) => (a < b ? -1 : 1))),
    }[literalOf[op]];
    return value.map((value) => ({ field, op, value }) as Condition);
  }),
);

const inEuro: Condition = { field: 'currency', op: 'eq', value: 'EUR' };

const grouped = (leaf: fc.Arbitrary<unknown>, min: number) =>
  fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { maxDepth: 4, depthIdentifier: 'condition' },
      leaf,
      fc.array(tie('node'), { maxLength: 3 }).map((all) => ({ all })),
      fc.array(tie('node'), { minLength: min, maxLength: 3 }).map((any) => ({ any })),
      tie('node').map((not) => ({ not })),
    ),
  })).node;

/** Conditions that may be brought into force. */
export const validCondition = (grouped(atom, 1) as fc.Arbitrary<Condition>)
  .map((condition): Condition => ({ all: [inEuro, { any: [condition] }] }))
  .filter((condition) => checkCondition(condition).length === 0);

/**
 * Valid and invalid conditions: without a currency, with junk in place of an atom, and values that are junk
 * as a whole.
 */
export const anyCondition: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: validCondition },
  grouped(atom, 0),
  grouped(fc.oneof({ weight: 9, arbitrary: atom }, junk), 0),
  junk,
);

const ruleArbitrary = (when: fc.Arbitrary<unknown>) =>
  fc.record({ effect: fc.constantFrom(...policyEffects), when });

const scopeArbitrary: fc.Arbitrary<Policy['scope']> = fc.record({
  ...(Object.fromEntries(Object.keys(anyScope).map((name) => [name, fc.constant([])])) as any),
  actions: fc.constantFrom([], [], ['a'], ['a', 'b.c']),
  currencies: fc.constantFrom([], [], ['EUR'], ['EUR', 'USD']),
});

/** Sets of one to four policies with one to four rules each. */
export function policySets(when: fc.Arbitrary<unknown>): fc.Arbitrary<Policy[]> {
  return fc
    .array(
      fc.record({
        scope: scopeArbitrary,
        rules: fc.array(ruleArbitrary(when), { minLength: 1, maxLength: 4 }),
      }),
      { minLength: 1, maxLength: 4 },
    )
    .map((policies) =>
      policies.map(({ scope, rules }, at) =>
        policyOf(
          rules.map(({ effect, when }, index) => ruleOf(`rule-${index}`, effect, when)),
          { uid: `pol_${at}`, key: `policy-${at}`, scope },
        ),
      ),
    );
}

/** Inputs in which some fields are missing, and some have a wrong type. */
export const inputs: fc.Arbitrary<any> = fc.record(
  Object.fromEntries(
    fieldNames.map((name) => {
      const right = fc.constantFrom(...pool(name));
      const value = fields[name].type === 'set' ? fc.uniqueArray(right, { maxLength: 2 }) : right;
      return [
        name,
        fc.oneof(
          { weight: 20, arbitrary: value },
          fc.constantFrom<unknown>(null, 'x', -1, 1.5, [], true, '2026-02-30T00:00:00.000Z'),
        ),
      ];
    }),
  ),
  { requiredKeys: ['action', 'amount_minor', 'usage.day_minor', 'currency'] },
);
