import Type, { type Static } from 'typebox';
import { Closed, Line } from '#lib/core/schema.ts';
import { checkCondition, ConditionSchema, type Condition, type ConditionFaultCode } from './condition.ts';
import { fields, isOfField, type Field, type FieldName } from './fields.ts';

/** From the strongest to the weakest. What no rule says is denied. */
export const policyEffects = ['deny', 'require_approval', 'allow'] as const;
export type PolicyEffect = (typeof policyEffects)[number];

/** A policy in `shadow` is evaluated and recorded beside the decision, and has no part in it. */
export const policyModes = ['enforce', 'shadow'] as const;
export type PolicyMode = (typeof policyModes)[number];

const RULES_MAX = 200;
const SCOPE_MAX = 200;

const listOf = <T extends Type.TSchema>(item: T, what: string) =>
  Type.Array(item, {
    maxItems: SCOPE_MAX,
    uniqueItems: true,
    default: [],
    description: `${what}. Empty: any.`,
  });
const key = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$', description, examples: [example] });

export const PolicyScopeSchema = Closed(
  {
    environments: listOf(Type.Enum([...fields.environment.values]), 'Environments'),
    actions: listOf(key('An action.', 'obligation.pay'), 'Actions'),
    connectors: listOf(key('A connector.', 'sepa_ct'), 'Connectors'),
    currencies: listOf(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'ISO 4217.', examples: ['EUR'] }),
      'Currencies',
    ),
    counterparties: listOf(
      Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'A counterparty.', examples: [1] }),
      'Counterparties',
    ),
    risk_tiers: listOf(Type.Enum([...fields.risk_tier.values]), 'Tiers of risk'),
    execution_modes: listOf(Type.Enum([...fields.execution_mode.values]), 'Modes of execution'),
  },
  { title: 'PolicyScope', description: 'What the policy is about. It says nothing about anything else.' },
);

export const PolicyRuleSchema = Closed(
  {
    key: key('The rule, within its policy.', 'small-payments'),
    effect: Type.Enum([...policyEffects], { description: 'What it says where its condition holds.' }),
    when: ConditionSchema,
    approval_graph_key: Type.Optional(
      key('With `require_approval`: the approval graph; without it that of the action.', 'treasury'),
    ),
    reason_code: Type.String({
      pattern: '^[a-z]+(_[a-z0-9]+)*$',
      maxLength: 64,
      description: 'Stable word for programs.',
      examples: ['amount_small'],
    }),
    advice: Line(500, 'What a person may do about it.', 'Ask treasury to approve it.'),
  },
  { title: 'PolicyRule', description: 'One rule of a policy.' },
);

export type PolicyScope = Static<typeof PolicyScopeSchema>;
export type PolicyRule = Omit<Static<typeof PolicyRuleSchema>, 'when'> & { when: Condition };

/** A version of a policy, as it is asked. */
export type Policy = {
  uid: string;
  key: string;
  version: number;
  name: string;
  mode: PolicyMode;
  scope: PolicyScope;
  rules: readonly PolicyRule[];
};

/** The field that each list of a scope restricts. */
export const scopeFields: Readonly<Record<keyof PolicyScope, FieldName>> = {
  environments: 'environment',
  actions: 'action',
  connectors: 'connector',
  currencies: 'currency',
  counterparties: 'counterparty_id',
  risk_tiers: 'risk_tier',
  execution_modes: 'execution_mode',
};

export const scopeNames = Object.keys(scopeFields) as (keyof PolicyScope)[];

export type PolicyFault = {
  pointer: string;
  code:
    | ConditionFaultCode
    | 'scope_value'
    | 'rules_form'
    | 'rule_form'
    | 'rule_key_taken'
    | 'graph_without_approval';
  message: string;
};

/** Every fault of the scope and the rules that the schema does not see, by JSON pointer into the policy. */
export function checkPolicy(policy: { scope: unknown; rules: unknown }): PolicyFault[] {
  if (!Array.isArray(policy.rules) || policy.rules.length < 1 || policy.rules.length > RULES_MAX) {
    return [{ pointer: '/rules', code: 'rules_form', message: `takes a list of 1 to ${RULES_MAX} rules` }];
  }
  const keys = new Set<unknown>();
  const currency = scopeCurrency(policy.scope);
  const ofRules = policy.rules.flatMap((rule: unknown, index): PolicyFault[] => {
    const pointer = `/rules/${index}`;
    if (!isRuleForm(rule)) return [{ pointer, code: 'rule_form', message: 'has no effect or no condition' }];
    const faults: PolicyFault[] = checkCondition(rule.when, currency, `${pointer}/when`);
    if (keys.has(rule.key)) {
      faults.push({
        pointer: `${pointer}/key`,
        code: 'rule_key_taken',
        message: 'is the key of a rule before',
      });
    }
    keys.add(rule.key);
    if (rule.approval_graph_key !== undefined && rule.effect !== 'require_approval') {
      const message = 'goes with require_approval alone';
      faults.push({ pointer: `${pointer}/approval_graph_key`, code: 'graph_without_approval', message });
    }
    return faults;
  });
  return [...checkScope(policy.scope), ...ofRules];
}

export function checkScope(scope: unknown): PolicyFault[] {
  const lists = (typeof scope === 'object' && scope !== null ? scope : {}) as Record<string, unknown>;
  return scopeNames.flatMap((name): PolicyFault[] => {
    const list = lists[name];
    const field: Field = fields[scopeFields[name]];
    const pointer = `/scope/${name}`;
    if (!Array.isArray(list)) return [{ pointer, code: 'scope_value', message: 'is no list' }];
    return list.flatMap((value, index) =>
      isOfField(field, value)
        ? []
        : [{ pointer: `${pointer}/${index}`, code: 'scope_value', message: `is none of the field's values` }],
    );
  });
}

/** The one currency that a scope leaves, if it does. */
export function scopeCurrency(scope: unknown): string | undefined {
  const { currencies } = (scope ?? {}) as { currencies?: unknown };
  return Array.isArray(currencies) && currencies.length === 1 ? String(currencies[0]) : undefined;
}

export function isRuleForm(rule: unknown): rule is PolicyRule {
  if (typeof rule !== 'object' || rule === null) return false;
  const { key, effect, when } = rule as Record<string, unknown>;
  return (
    typeof key === 'string' && policyEffects.includes(effect as PolicyEffect) && typeof when === 'object'
  );
}
