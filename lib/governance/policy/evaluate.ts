import { allOf, broken, compileCondition, membership, type Group, type Leaf, type Node } from './compile.ts';
import type { Decision, FailedAtom } from './decision.ts';
import { collectFailedAtoms, collectErrorAtoms } from './explain.ts';
import { INVALID, knownInput, type FieldValue, type KnownInput, type PolicyInput } from './fields.ts';
import { inputHash, policySetHash } from './policy-hash.ts';
import {
  checkScope,
  isRuleForm,
  policyEffects,
  scopeCurrency,
  scopeFields,
  scopeNames,
  type Policy,
  type PolicyEffect,
  type PolicyRule,
} from './policy.ts';

/** The largest number of atoms in a list. Further atoms are counted only. */
const ATOMS_LISTED = 100;

/** A compiled set of policies. */
export type PolicySet = { hash: string; policies: readonly Policy[]; decide(input: PolicyInput): Decision };

type ReadyRule = { policy: Policy; rule: PolicyRule; node: Node; whole: Group };
type ReadyPolicy = { scope: Node; rules: readonly ReadyRule[] };

/**
 * Compiles policies for repeated evaluation. A rule whose condition is not valid causes an error for every
 * input in the scope of its policy.
 */
export function compilePolicies(policies: readonly Policy[]): PolicySet {
  const hash = policySetHash(policies);
  const ready = policies.toSorted(byIdentity).map(readyPolicy);
  return { hash, policies, decide: (input) => decide(ready, hash, input) };
}

/**
 * Evaluates the policies on an input. Precedence: `deny`, `require_approval`, `allow`. If no rule matches,
 * the action is denied. If a rule in scope has an error, the action is denied. The order of policies and
 * rules does not matter. The mode is ignored here: `decidePolicies` separates enforced policies from shadow
 * policies.
 */
function decide(policies: readonly ReadyPolicy[], policySet: string, given: PolicyInput): Decision {
  const input = knownInput(given);
  const holding: Record<PolicyEffect, ReadyRule[]> = { deny: [], require_approval: [], allow: [] };
  const silent: ReadyRule[] = [];
  const erring: ReadyRule[] = [];
  for (const { scope, rules } of policies) {
    const inScope = scope.test(input);
    if (inScope === false) continue;
    for (const ready of rules) {
      const truth = ready.node.test(input);
      if (truth === false) silent.push(ready);
      else if (truth !== true || inScope !== true) erring.push(ready);
      else holding[ready.rule.effect].push(ready);
    }
  }
  const said = policyEffects.find((effect) => holding[effect].length > 0);
  const effect = erring.length > 0 ? 'deny' : (said ?? 'deny');
  const determining = holding[effect];
  const isDefault = effect === 'deny' && determining.length === 0 && erring.length === 0;
  const failing = isDefault ? silent.filter(({ rule }) => rule.effect !== 'deny') : determining;
  const { atoms, omitted } = effect === 'allow' ? NO_ATOMS : atomsOf(failing, input, isDefault);
  return {
    effect,
    default: isDefault,
    policy_set_hash: policySet,
    input_hash: inputHash(given),
    determining: determining.map(({ policy, rule }) => ({
      ...nameOf(policy, rule),
      effect: rule.effect,
      reason_code: rule.reason_code,
      advice: rule.advice,
    })),
    failed: effect === 'deny' ? atoms : [],
    approval_because: effect === 'deny' ? [] : atoms,
    atoms_omitted: omitted,
    errors: erring.flatMap((ready) => errorsOf(ready, input)),
    obligations: effect === 'require_approval' ? graphsOf(determining) : [],
  };
}

const NO_ATOMS: { atoms: FailedAtom[]; omitted: number } = { atoms: [], omitted: 0 };

/**
 * Returns the failed atoms of rules. `wanted` is true if the action was denied because these rules did not
 * hold. `wanted` is false if the rules held, and therefore denied the action or required an approval.
 */
function atomsOf(rules: readonly ReadyRule[], input: KnownInput, wanted: boolean) {
  const atoms: FailedAtom[] = [];
  let omitted = 0;
  for (const { policy, rule, node } of rules) {
    collectFailedAtoms(node, input, wanted, (leaf, must) => {
      if (atoms.length < ATOMS_LISTED)
        atoms.push(atomOf(policy, rule, leaf, must, actualOf(input[leaf.name])));
      else omitted += 1;
    });
  }
  return { atoms, omitted };
}

function atomOf(
  policy: Policy,
  rule: PolicyRule,
  { path, name, field, op, value, bound }: Leaf,
  must: boolean,
  actual: FieldValue | null,
): FailedAtom {
  const to = actual === null ? undefined : bound(must, actual);
  const atom: FailedAtom = {
    policy_uid: policy.uid,
    version: policy.version,
    rule_key: rule.key,
    path,
    field: name,
    op,
    expected: value,
    must_hold: must,
    actual,
  };
  if (to === undefined) return atom;
  if (field.type === 'money') atom.bound_minor = to as number;
  else atom.bound = to;
  return atom;
}

/**
 * Returns the value that a failed atom was compared with. An atom on a missing or invalid value is an error and not a
 * failed atom. The exception is `exists`, which reads no value.
 */
function actualOf(value: FieldValue | typeof INVALID | undefined): FieldValue | null {
  return value === undefined || value === INVALID ? null : value;
}

function errorsOf({ policy, rule, whole }: ReadyRule, input: KnownInput): Decision['errors'] {
  const errors: Decision['errors'] = [];
  collectErrorAtoms(whole, input, (path, code) => errors.push({ ...nameOf(policy, rule), path, code }));
  return errors;
}

function graphsOf(rules: readonly ReadyRule[]): Decision['obligations'] {
  const keys = new Set(rules.map(({ rule }) => rule.approval_graph_key ?? null));
  return [...keys]
    .toSorted((one, other) => ((one ?? '') < (other ?? '') ? -1 : 1))
    .map((approval_graph_key) => ({ approval_graph_key }));
}

function nameOf({ uid, version }: Policy, { key }: PolicyRule) {
  return { policy_uid: uid, version, rule_key: key };
}

function readyPolicy(policy: Policy): ReadyPolicy {
  const scope = readyScope(policy.scope);
  const rules = policy.rules.map((rule) => {
    const node = isRuleForm(rule)
      ? compileCondition(rule.when, scopeCurrency(policy.scope))
      : broken('', 'invalid_rule');
    return { policy, rule, node, whole: allOf([scope, node]) };
  });
  return { scope, rules: rules.toSorted((one, other) => (one.rule.key < other.rule.key ? -1 : 1)) };
}

function readyScope(scope: Policy['scope']): Node {
  if (checkScope(scope).length > 0) return broken('/scope', 'invalid_condition');
  return allOf(
    scopeNames
      .filter((name) => scope[name].length > 0)
      .map((name) => membership(scopeFields[name], scope[name], `/scope/${name}`)),
  );
}

function byIdentity(one: Policy, other: Policy): number {
  return one.uid < other.uid ? -1 : one.uid > other.uid ? 1 : one.version - other.version;
}
