import type { EvaluationError } from './compile.ts';
import type { FieldName, FieldValue } from './fields.ts';
import type { Literal, Operator } from './operators.ts';
import type { PolicyEffect } from './policy.ts';

/** A rule that determined the decision. */
export type DeterminingRule = {
  policy_uid: string;
  version: number;
  rule_key: string;
  effect: PolicyEffect;
  reason_code: string;
  advice: string;
};

/**
 * An atom that blocks the action. `path` is its location in the rule. `must_hold` is the outcome that the atom needs
 * for the action to be allowed: true in a rule that would allow the action, false in a rule that denied it. The bound
 * is the nearest value with that outcome: `bound_minor` for an amount, `bound` for other types.
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

/**
 * A rule that could not be evaluated. `path` is the location of the error in the rule, or in the scope of its
 * policy.
 */
export type RuleError = {
  policy_uid: string;
  version: number;
  rule_key: string;
  path: string;
  code: EvaluationError;
};

/**
 * The decision of a set of policies for an input, with its reasons. The same set and the same input give the
 * same decision.
 */
export type Decision = {
  effect: PolicyEffect;
  /** Whether the action is denied because no rule matched. */
  default: boolean;
  policy_set_hash: string;
  input_hash: string;
  determining: DeterminingRule[];
  /** The atoms that block a denied action. */
  failed: FailedAtom[];
  /**
   * The atoms that cause a required approval: because of their outcomes, the condition of the rule holds.
   */
  approval_because: FailedAtom[];
  /** The number of atoms that are not listed. */
  atoms_omitted: number;
  errors: RuleError[];
  /** The approvals that are required before the action, by approval graph. Null means the graph of the action. */
  obligations: { approval_graph_key: string | null }[];
};
