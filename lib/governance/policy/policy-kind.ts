import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Line } from '#lib/core/schema.ts';
import type { GovernedRecord } from '../governed/governed-record.entity.ts';
import { defineKind, schemaFaults, type BodyFault } from '../governed/kind.ts';
import { runCases, unknownFields, type CaseOutcome, type PolicyCase } from './cases.ts';
import {
  checkPolicy,
  policyEffects,
  policyModes,
  PolicyRuleSchema,
  PolicyScopeSchema,
  type Policy,
} from './policy.ts';
import { mayBeEnded } from './shadow.ts';

const Expected = Closed({
  effect: Type.Enum([...policyEffects]),
  rules: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200, uniqueItems: true })),
  errs: Type.Optional(Type.Boolean()),
});

export const PolicyCasesSchema = Type.Array(
  Closed({
    name: Line(200, 'The behaviour that the case shows, 1 to 200 characters.', 'a small payment passes'),
    input: Type.Record(Type.String({ maxLength: 64 }), Type.Unknown()),
    expect: Expected,
  }),
  { minItems: 1, maxItems: 500 },
);

export const PolicyBodySchema = Closed({
  mode: Type.Enum([...policyModes]),
  scope: PolicyScopeSchema,
  rules: Type.Array(PolicyRuleSchema, { minItems: 1, maxItems: 200 }),
  cases: PolicyCasesSchema,
});
export type PolicyBody = Static<typeof PolicyBodySchema>;

/**
 * The kind of governed record that contains policies: rules that allow or deny an action or require an approval. A
 * policy becomes active only if all of its own cases pass.
 */
export const policyKind = defineKind({
  kind: 'policy',
  prefix: prefixes.policy,
  schema: PolicyBodySchema,
  check: async (_em, body) => policyFaults(body),
  mayBeEnded: (body) => mayBeEnded(body as unknown as Policy),
});

/** Returns the policy of a stored version. */
export function policyOf(record: Pick<GovernedRecord, 'uid' | 'key' | 'version' | 'name' | 'body'>): Policy {
  const { mode, scope, rules } = record.body as PolicyBody;
  const { uid, key, version, name } = record;
  return { uid, key, version, name, mode, scope, rules: rules as unknown as Policy['rules'] };
}

/**
 * Returns the faults of a policy whose body matches the schema: the faults of its definition or, if there are none, the
 * faults of its cases.
 */
export function policyFaults(body: PolicyBody): BodyFault[] {
  const faults = checkPolicy(body);
  if (faults.length > 0) return faults;
  const cases = body.cases as unknown as readonly PolicyCase[];
  const policy = policyOf({ uid: 'pol', key: 'draft', version: 1, name: 'draft', body });
  const failed = runCases(policy, cases).flatMap(({ ok, name, expected, got }, index) => {
    const message = `"${name}" expects ${expected} but gets ${got}`;
    return ok ? [] : [{ pointer: `/cases/${index}`, code: 'case_failed', message }];
  });
  return [...caseFaults(cases), ...failed];
}

/** Evaluates a version or a draft on its cases. If the policy or a case is not valid, returns the faults. */
export function testPolicy(
  record: Parameters<typeof policyOf>[0],
): { ok: true; outcomes: CaseOutcome[] } | { ok: false; faults: BodyFault[] } {
  const malformed = schemaFaults(policyKind, record.body);
  if (malformed.length > 0) return { ok: false, faults: malformed };
  const body = record.body as PolicyBody;
  const cases = body.cases as unknown as readonly PolicyCase[];
  const faults = [...checkPolicy(body), ...caseFaults(cases)];
  return faults.length > 0
    ? { ok: false, faults }
    : { ok: true, outcomes: runCases(policyOf(record), cases) };
}

/**
 * Returns a fault for every name in a case that is not a field. A policy never reads such a name, so the case would
 * test nothing.
 */
export function caseFaults(cases: readonly PolicyCase[]): BodyFault[] {
  return cases.flatMap(({ input }, index) =>
    unknownFields(input).map((name) => ({
      pointer: `/cases/${index}/input/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`,
      code: 'unknown_field',
      message: 'is not a field of the catalogue',
    })),
  );
}
