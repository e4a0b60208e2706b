import Type, { type Static } from 'typebox';
import { Closed, Line } from '#lib/core/schema.ts';
import { checkCondition, ConditionSchema, type Condition, type ConditionFaultCode } from './condition.ts';
import { fields, isOfField, type Field, type FieldName } from './fields.ts';

/** The effects of rules, in order of precedence. If no rule matches, the action is denied. */
export const policyEffects = ['deny', 'require_approval', 'allow'] as const;
export type PolicyEffect = (typeof policyEffects)[number];

/**
 * The modes of a policy. A policy in `shadow` is evaluated, and its result is recorded with the decision. Such a policy
 * does not affect the decision.
 */
export const policyModes = ['enforce', 'shadow'] as const;
export type PolicyMode = (typeof policyModes)[number];

const RULES_MAX = 200;
const SCOPE_MAX = 200;

const listOf = <T extends Type.TSchema>(item: T, what: string) =>
  Type.Array(item, {
    maxItems: SCOPE_MAX,
    uniqueItems: true,
    default: [],
    description: `${what} that the policy applies to. Default: empty, which means all.`,
  });
const key = (description: string, example: string) =>
  Type.String({ pattern: '^[a-z][a-z0-9_.-]{0,63}$', description, examples: [example] });

export const PolicyScopeSchema = Closed(
  {
    environments: listOf(Type.Enum([...fields.environment.values]), 'Environments'),
    actions: listOf(key('The key of an action.', 'obligation.pay'), 'Actions'),
    connectors: listOf(key('The key of a connector.', 'sepa_ct'), 'Connectors'),
    currencies: listOf(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'A currency, ISO 4217.', examples: ['EUR'] }),
      'Currencies',
    ),
    counterparties: listOf(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The id of a counterparty.',
        examples: [1],
      }),
      'Counterparties',
    ),
    risk_tiers: listOf(Type.Enum([...fields.risk_tier.values]), 'Risk tiers'),
    execution_modes: listOf(Type.Enum([...fields.execution_mode.values]), 'Execution modes'),
  },
  {
    title: 'PolicyScope',
    description: 'The actions that the policy applies to. The policy has no effect on other actions.',
  },
);

export const PolicyRuleSchema = Closed(
  {
    key: key('The key of the rule, unique within its policy.', 'small-payments'),
    effect: Type.Enum([...policyEffects], {
      description: 'The effect of the rule when its condition holds.',
    }),
    when: ConditionSchema,
    approval_graph_key: Type.Optional(
      key(
        'The approval graph. Allowed only with `require_approval`. Default: the approval graph of the action.',
        'treasury',
      ),
    ),
    reason_code: Type.String({
      pattern: '^[a-z]+(_[a-z0-9]+)*$',
      maxLength: 64,
      description: 'A stable reason code for programs.',
      examples: ['amount_small'],
    }),
    advice: Line(
      500,
      'Advice to a person who is affected by the rule, 1 to 500 characters.',
      'Ask treasury to approve it.',
    ),
  },
  { title: 'PolicyRule', description: 'One rule of a policy.' },
);

export type PolicyScope = Static<typeof PolicyScopeSchema>;
export type PolicyRule = Omit<Static<typeof PolicyRuleSchema>, 'when'> & { when: Condition };

/** A version of a policy, ready for evaluation. */
export type Policy = {
  uid: string;
  key: string;
  version: number;
  name: string;
  mode: PolicyMode;
  scope: PolicyScope;
  rules: readonly PolicyRule[];
};

/** The field of the input that each list of a scope restricts. */
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

/**
 * Returns every fault of the scope and the rules that the schema does not find, with a JSON pointer into the
 * policy.
 */
export function checkPolicy(policy: { scope: unknown; rules: unknown }): PolicyFault[] {
  if (!Array.isArray(policy.rules) || policy.rules.length < 1 || policy.rules.length > RULES_MAX) {
    return [{ pointer: '/rules', code: 'rules_form', message: `must be a list of 1 to ${RULES_MAX} rules` }];
  }
  const keys = new Set<unknown>();
  const currency = scopeCurrency(policy.scope);
  const ofRules = policy.rules.flatMap((rule: unknown, index): PolicyFault[] => {
    const pointer = `/rules/${index}`;
    if (!isRuleForm(rule))
      return [{ pointer, code: 'rule_form', message: 'must have an effect and a condition' }];
    const faults: PolicyFault[] = checkCondition(rule.when, currency, `${pointer}/when`);
    if (keys.has(rule.key)) {
      faults.push({
        pointer: `${pointer}/key`,
        code: 'rule_key_taken',
        message: 'is already the key of another rule',
      });
    }
    keys.add(rule.key);
    if (rule.approval_graph_key !== undefined && rule.effect !== 'require_approval') {
      const message = 'is allowed only with require_approval';
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
    if (!Array.isArray(list)) return [{ pointer, code: 'scope_value', message: 'must be a list' }];
    return list.flatMap((value, index) =>
      isOfField(field, value)
        ? []
        : [
            {
              pointer: `${pointer}/${index}`,
              code: 'scope_value',
              message: `must be a valid value of the field ${scopeFields[name]}`,
            },
          ],
    );
  });
}

/** Returns the currency of a scope that has exactly one currency, or undefined. */
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
