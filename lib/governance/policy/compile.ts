import { checkCondition, groupOf, pinnedCurrencies, type Atom, type Condition } from './condition.ts';
import { fields, INVALID, type Field, type FieldName, type FieldValue, type KnownInput } from './fields.ts';
import { nearestOf, testOf, type Operator } from './operators.ts';

/**
 * The value of a condition. Every value except `true` and `false` is the code of an error. `all`, `any` and `not`
 * follow Kleene's three-valued logic: an error affects the result only if it could change the outcome. The order of the
 * members therefore does not matter. For example, `all` of a false condition and an error is false.
 */
export type ConditionResult = boolean | EvaluationError;
export type EvaluationError =
  | 'missing_field'
  | 'type_mismatch'
  | 'currency_mismatch'
  | 'invalid_condition'
  | 'invalid_rule';

type Common = { test: (input: KnownInput) => ConditionResult };
export type Leaf = Common & {
  kind: 'atom';
  path: string;
  name: FieldName;
  field: Field;
  op: Operator;
  value: Atom['value'];
  /**
   * Returns the value nearest to `actual` for which the atom holds (`wanted` true) or does not hold (`wanted` false);
   * undefined if there is no such value.
   */
  bound: (wanted: boolean, actual: FieldValue) => FieldValue | undefined;
};
export type Group = Common & { kind: 'all' | 'any' | 'not'; members: readonly Node[] };
/**
 * A condition that is not valid. Definitions with such a condition are refused. In a stored policy, such a condition
 * causes an error for every input.
 */
export type Broken = Common & { kind: 'broken'; path: string; code: EvaluationError };
export type Node = Leaf | Group | Broken;

/** Compiles a condition for repeated evaluation. `path` is its location in the rule. */
export function compileCondition(condition: unknown, currency: string | undefined, path = '/when'): Node {
  return checkCondition(condition, currency).length > 0
    ? broken(path, 'invalid_condition')
    : compileNode(condition as Condition, currency, path);
}

export function broken(path: string, code: EvaluationError): Broken {
  return { kind: 'broken', path, code, test: () => code };
}

/** Returns a condition that holds if a field is one of the values. */
export function membership(name: FieldName, values: Atom['value'], path: string): Leaf {
  return leaf({ field: name, op: 'in', value: values }, undefined, path);
}

export function allOf(members: readonly Node[]): Group {
  const tests = members.map(({ test }) => test);
  return {
    kind: 'all',
    members,
    test: (input) => {
      let truth: ConditionResult = true;
      for (const test of tests) {
        const each = test(input);
        if (each === false) return false;
        if (each !== true) truth = each;
      }
      return truth;
    },
  };
}

function compileNode(condition: Condition, currency: string | undefined, path: string): Node {
  const group = groupOf(condition);
  if (!group) return leaf(condition as Atom, currency, path);
  const pinned = group.word === 'all' ? pinnedCurrencies(group.members) : [];
  const members = group.members.map((member, index) =>
    compileNode(
      member as Condition,
      pinned[0] ?? currency,
      group.word === 'not' ? `${path}/not` : `${path}/${group.word}/${index}`,
    ),
  );
  if (group.word === 'all') return allOf(members);
  return group.word === 'any' ? anyOf(members) : notOf(members[0]!);
}

function anyOf(members: readonly Node[]): Group {
  const tests = members.map(({ test }) => test);
  return {
    kind: 'any',
    members,
    test: (input) => {
      let truth: ConditionResult = false;
      for (const test of tests) {
        const each = test(input);
        if (each === true) return true;
        if (each !== false) truth = each;
      }
      return truth;
    },
  };
}

function notOf(member: Node): Group {
  return {
    kind: 'not',
    members: [member],
    test: (input) => {
      const truth = member.test(input);
      return typeof truth === 'boolean' ? !truth : truth;
    },
  };
}

function leaf({ field: name, op, value }: Atom, currency: string | undefined, path: string): Leaf {
  const field: Field = fields[name];
  const [holding, failing] = [true, false].map((wanted) => nearestOf(field, { op, value }, wanted));
  const bound: Leaf['bound'] = (wanted, actual) => (wanted ? holding! : failing!)(actual);
  const about = { kind: 'atom', path, name, field, op, value, bound } as const;
  if (op === 'exists') {
    return { ...about, test: (input) => ((input[name] ?? null) !== null) === value };
  }
  const test = testOf(op, value);
  const ofOneCurrency = field.type === 'money';
  return {
    ...about,
    test: (input) => {
      const actual = input[name];
      if (actual === undefined) return 'missing_field';
      if (actual === INVALID) return 'type_mismatch';
      if (ofOneCurrency && input.currency !== currency) return 'currency_mismatch';
      return test(actual);
    },
  };
}
