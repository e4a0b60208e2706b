import { type PolicySet, compilePolicies } from '#lib/governance/policy/evaluate.ts';
import { evaluatePolicies } from '../../support/evaluate-policies.ts';
import type { PolicyInput } from '#lib/governance/policy/fields.ts';
import { policyEffects, type Policy } from '#lib/governance/policy/policy.ts';
import { anyScope, policyOf, ruleOf } from '../../support/policy.ts';

export const POLICIES = 20;
export const RULES_EACH = 10;

const MILLION = 1_000_000;

/**
 * Returns twenty policies of ten rules each. Every policy applies to every input. Every rule has five
 * comparisons.
 */
export function benchPolicies(): Policy[] {
  return Array.from({ length: POLICIES }, (_, policy) =>
    policyOf(
      Array.from({ length: RULES_EACH }, (_, rule) => {
        const effect = policyEffects[rule % policyEffects.length]!;
        const step = policy * RULES_EACH + rule + 1;
        const bound =
          effect === 'allow' ? { op: 'lte', value: step * 1_000 } : { op: 'gt', value: step * MILLION };
        return ruleOf(`rule-${rule}`, effect, {
          all: [
            { field: 'action', op: 'in', value: ['obligation.pay', `action.${step}`] },
            { field: 'amount_minor', ...bound },
            {
              any: [
                { field: 'risk_tier', op: 'eq', value: 'T1' },
                { field: 'local_time.hour', op: 'between', value: [8, 18] },
              ],
            },
            { not: { field: 'execution_mode', op: 'eq', value: 'autonomous' } },
          ],
        });
      }),
      {
        uid: `pol_${String(policy).padStart(2, '0')}`,
        key: `policy-${policy}`,
        scope: { ...anyScope, currencies: ['EUR'], actions: ['obligation.pay'] },
      },
    ),
  );
}

/** Returns the facts of a payment, with an amount in minor units. */
export function benchInput(amount: number, counterparty: number): PolicyInput {
  return {
    decision_point: 'authorize',
    environment: 'sandbox',
    now: '2026-11-23T12:00:00.000Z',
    'local_time.hour': 12,
    'local_time.weekday': 1,
    action: 'obligation.pay',
    connector: 'sepa_ct',
    currency: 'EUR',
    counterparty_id: counterparty,
    risk_tier: 'T1',
    execution_mode: 'supervised',
    amount_minor: amount,
    per_action_minor: 500_000,
    per_day_minor: 2_000_000,
    per_month_minor: 20_000_000,
    'usage.day_minor': 0,
    'usage.month_minor': 0,
    'identity.uid': 'idt_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
    'identity.age_days': 40,
  };
}

/** Amounts by the decision that they cause. */
export const benchAmounts = {
  allow: 500,
  /** No rule matches, so every failed atom is explained. */
  'deny by default': 900_000,
  /** Every deny rule matches. */
  deny: 999 * MILLION,
} as const;

/**
 * Measures decisions per second on 200 rules. Each decision has its own input, and includes its explanation
 * and the hash of its input.
 */
export function policyDecisionsPerSecond(
  what: keyof typeof benchAmounts,
  decisions: number,
  set: PolicySet = compilePolicies(benchPolicies()),
): number {
  const amount = benchAmounts[what];
  const started = performance.now();
  for (let at = 1; at <= decisions; at += 1) set.decide(benchInput(amount, at));
  return (decisions * 1_000) / (performance.now() - started);
}

/** Measures decisions per second without reuse: the policies are compiled and hashed for every decision. */
export function unpreparedDecisionsPerSecond(what: keyof typeof benchAmounts, decisions: number): number {
  const policies = benchPolicies();
  const started = performance.now();
  for (let at = 1; at <= decisions; at += 1) {
    evaluatePolicies(policies, benchInput(benchAmounts[what], at));
  }
  return (decisions * 1_000) / (performance.now() - started);
}
