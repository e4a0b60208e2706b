import type { EvaluationError } from './compile.ts';
import type { FieldName, FieldValue } from './fields.ts';
import type { Literal, Operator } from './operators.ts';
import type { PolicyEffect } from './policy.ts';

/** A rule that made the decision what it is. */
export type DeterminingRule = {
  policy_uid: string;
  version: number;
  rule_key: string;
  effect: PolicyEffect;
  reason_code: string;
  advice: string;
};

/**
 * An atom that stands in the way. `path` leads to it from its rule. `must_hold` says how it would have to turn out: true
 * in a rule that would have allowed, false in one that denied. `bound_minor`, for an amount, and `bound`, for
 * everything else, is the nearest value with which it would.
 */
export type FailedAtom = {
  policy_uid: string;
  version: number;
  rule_key: string;
  path: string;
  field: FieldName;
  op: Operator;
  expected: Literal;
  must_hold: boolean;
  actual: FieldValue | null;
  bound?: FieldValue;
  bound_minor?: number;
};

/** A rule that could not be evaluated, and where. `path` leads from the rule, or from the policy into its scope. */
export type RuleError = {
  policy_uid: string;
  version: number;
  rule_key: string;
  path: string;
  code: EvaluationError;
};

/** What a set of policies says about an input, and why. The same set and input give the same decision. */
export type Decision = {
  effect: PolicyEffect;
  /** Whether it is denied because nothing said otherwise. */
  default: boolean;
  policy_set_hash: string;
  input_hash: string;
  determining: DeterminingRule[];
  /** Of a deny. */
  failed: FailedAtom[];
  /** Of an approval that is asked for: each atom without which a rule would not have asked for it. */
  approval_because: FailedAtom[];
  /** How many more atoms there are than listed. */
  atoms_omitted: number;
  errors: RuleError[];
  /** What has to happen first: approval by these graphs, null for that of the action. */
  obligations: { approval_graph_key: string | null }[];
};
