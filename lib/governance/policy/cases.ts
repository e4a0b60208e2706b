import type { Decision } from './decision.ts';
import { compilePolicies } from './evaluate.ts';
import { fieldOf, type PolicyInput } from './fields.ts';
import type { Policy, PolicyEffect } from './policy.ts';

/** What a policy is to say about an input, alone and as if it were in force. */
export type PolicyCase = {
  name: string;
  input: PolicyInput;
  expect: {
    effect: PolicyEffect;
    /** The keys of the rules that decide it, where it matters. */
    rules?: readonly string[];
    /** Whether rules err, which denies. Not: nothing errs. */
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

/** Asks a policy its cases. */
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

/** The names of an input that no field has: a case that gives one tests something else than it says. */
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
