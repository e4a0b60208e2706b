import type { Decision } from './decision.ts';
import { compilePolicies } from './evaluate.ts';
import { fieldOf, type PolicyInput } from './fields.ts';
import type { Policy, PolicyEffect } from './policy.ts';

/**
 * A test case of a policy: an input, and the expected result of the policy for this input. The policy is evaluated
 * alone, as if it were active.
 */
export type PolicyCase = {
  name: string;
  input: PolicyInput;
  expect: {
    effect: PolicyEffect;
    /** The expected keys of the rules that determine the result. Not compared if omitted. */
    rules?: readonly string[];
    /** Whether the evaluation should have errors, which deny the action. Defaults to false. */
    errs?: boolean;
  };
};

export type CaseOutcome = {
  name: string;
  expected: string;
  got: string;
  ok: boolean;
  decision: Decision;
};

/** Evaluates a policy on its cases. */
export function runCases(policy: Policy, cases: readonly PolicyCase[]): CaseOutcome[] {
  const set = compilePolicies([policy]);
  return cases.map(({ name, input, expect }) => {
    const decision = set.decide(input);
    const rules = decision.determining.map(({ rule_key }) => rule_key);
    const errs = decision.errors.length > 0;
    const ok =
      decision.effect === expect.effect &&
      errs === (expect.errs ?? false) &&
      (expect.rules === undefined || [...expect.rules].sort().join() === rules.sort().join());
    const got = inWords({ effect: decision.effect, rules, errs });
    return { name, expected: inWords(expect), got, ok, decision };
  });
}

/**
 * Returns the names in an input that are not fields of the catalogue. A policy never reads such a name, so a case that
 * contains such a name would test nothing.
 */
export function unknownFields(input: object): string[] {
  return Object.keys(input).filter((name) => fieldOf(name) === undefined);
}

function inWords({ effect, rules, errs }: PolicyCase['expect']): string {
  return [
    effect,
    ...(rules?.length ? [`by ${rules.join(', ')}`] : []),
    ...(errs ? ['on an error'] : []),
  ].join(' ');
}
