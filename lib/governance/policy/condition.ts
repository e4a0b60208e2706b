import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { fieldNames, fieldOf, isOfField, type Field, type FieldName, type FieldValue } from './fields.ts';
import { isOrdered, literalOf, operators, operatorsOf, type Literal, type Operator } from './operators.ts';

/**
 * The greatest nesting depth of a condition. The constant `ATOMS_MAX` limits the number of atoms. An empty `all` counts
 * as one atom.
 */
export const DEPTH_MAX = 8;
export const ATOMS_MAX = 200;
const LITERALS_MAX = 200;

export type Atom = { field: FieldName; op: Operator; value: Literal };
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | Atom;

const inner = { additionalProperties: true, description: 'A nested condition.' };

/** The schema of the outer form of a condition. `checkCondition` checks the full form. */
export const ConditionSchema = Closed(
  {
    all: Type.Optional(
      Type.Array(Type.Object({}, inner), {
        maxItems: ATOMS_MAX,
        description: 'Conditions that must all hold. An empty list always holds.',
      }),
    ),
    any: Type.Optional(
      Type.Array(Type.Object({}, inner), {
        minItems: 1,
        maxItems: ATOMS_MAX,
        description: 'Conditions of which at least one must hold.',
      }),
    ),
    not: Type.Optional(
      Type.Object({}, { additionalProperties: true, description: 'A condition that must not hold.' }),
    ),
    field: Type.Optional(
      Type.Enum([...fieldNames], { description: 'The field that is compared.', examples: ['amount_minor'] }),
    ),
    op: Type.Optional(
      Type.Enum([...operators], { description: 'The operator of the comparison.', examples: ['lte'] }),
    ),
    value: Type.Optional(
      Type.Unknown({
        description:
          "The value that the field is compared with: a value of the field's type. For `in`, `not_in` and " +
          '`subset_of` a list. For `between` a list of the smallest and the largest value. For `exists` ' +
          'true or false.',
        examples: [500_000],
      }),
    ),
  },
  {
    title: 'PolicyCondition',
    description:
      'A condition on a policy input. It has either one of `all`, `any` and `not`, or `field`, `op` and `value` together. ' +
      `Conditions nest at most ${DEPTH_MAX} levels deep and contain at most ${ATOMS_MAX} comparisons.`,
  },
);

export type ConditionFault = { pointer: string; code: ConditionFaultCode; message: string };
export type ConditionFaultCode =
  | 'condition_form'
  | 'condition_depth'
  | 'condition_atoms'
  | 'condition_empty'
  | 'unknown_field'
  | 'unknown_operator'
  | 'operator_type'
  | 'value_type'
  | 'value_order'
  | 'currency_missing'
  | 'currency_ambiguous';

type Walk = { faults: ConditionFault[]; atoms: number };
type Place = { pointer: string; depth: number; currency: string | undefined };

/**
 * Returns every fault of a condition, with its JSON pointer. The list is empty if the condition is valid. Stops at the
 * limits on depth and number of atoms.
 *
 * An amount has a meaning only in its currency. A comparison of an amount therefore needs a fixed currency: by
 * `currency eq` (or `in` with one value) in the same `all` or in an enclosing `all`, or by a scope with one currency
 * (`scopeCurrency`).
 */
export function checkCondition(condition: unknown, scopeCurrency?: string, pointer = ''): ConditionFault[] {
  const walk: Walk = { faults: [], atoms: 0 };
  visit(condition, { pointer, depth: 1, currency: scopeCurrency }, walk);
  return walk.faults;
}

function visit(given: unknown, place: Place, walk: Walk): void {
  const { pointer, depth } = place;
  const say = (code: ConditionFaultCode, message: string, at = '') => {
    walk.faults.push({ pointer: pointer + at, code, message });
  };
  if (walk.atoms > ATOMS_MAX) return;
  if (depth > DEPTH_MAX) {
    walk.atoms += 1; // counted, so that many members nested too deeply also reach the limit
    return say('condition_depth', `must not nest deeper than ${DEPTH_MAX} levels`);
  }
  const group = groupOf(given);
  if (group) {
    if (group.members.length === 0) countAtom(walk, say);
    if (group.word === 'any' && group.members.length === 0)
      say('condition_empty', 'must not be empty, because an empty list never holds', '/any');
    const pinned = group.word === 'all' ? pinnedCurrencies(group.members) : [];
    if (pinned.length > 1)
      say('currency_ambiguous', `requires ${pinned.join(' and ')} at the same time`, '/all');
    const currency = pinned.length === 1 ? pinned[0] : place.currency;
    for (const [index, member] of group.members.entries()) {
      if (walk.atoms > ATOMS_MAX) return;
      const at = group.word === 'not' ? '/not' : `/${group.word}/${index}`;
      visit(member, { pointer: pointer + at, depth: depth + 1, currency }, walk);
    }
    return;
  }
  countAtom(walk, say);
  if (!isAtomForm(given))
    return say('condition_form', 'must be one of all, any and not, or field, op and value together');
  checkAtom(given, place.currency, say);
}

function countAtom(walk: Walk, say: (code: ConditionFaultCode, message: string) => void): void {
  walk.atoms += 1;
  if (walk.atoms === ATOMS_MAX + 1)
    say('condition_atoms', `must not contain more than ${ATOMS_MAX} comparisons`);
}

function checkAtom(
  atom: { field: unknown; op: unknown; value: unknown },
  currency: string | undefined,
  say: (code: ConditionFaultCode, message: string, at: string) => void,
): void {
  const field = fieldOf(atom.field);
  const isKnownOp = operators.includes(atom.op as Operator);
  if (!field) say('unknown_field', 'is not a field of the catalogue', '/field');
  if (!isKnownOp) say('unknown_operator', `must be one of ${operators.join(', ')}`, '/op');
  if (!field || !isKnownOp) return;
  const op = atom.op as Operator;
  if (!operatorsOf[field.type].includes(op)) {
    return say(
      'operator_type',
      `must be one of ${operatorsOf[field.type].join(', ')} for a field of type ${field.type}`,
      '/op',
    );
  }
  const fault = literalFault(field, op, atom.value);
  if (fault) say(fault.code, fault.message, '/value');
  if (field.type === 'money' && op !== 'exists' && currency === undefined) {
    say(
      'currency_missing',
      'must be combined with a currency: require one currency in the same `all` or in the scope',
      '',
    );
  }
}

function literalFault(
  field: Field,
  op: Operator,
  value: unknown,
): { code: ConditionFaultCode; message: string } | undefined {
  const element: Field = field.type === 'set' ? { ...field, type: 'text' } : field;
  const isEach = (values: unknown[]) => values.every((each) => isOfField(element, each));
  const wrong = (message: string) => ({ code: 'value_type' as const, message });
  switch (literalOf[op]) {
    case 'flag':
      return typeof value === 'boolean' ? undefined : wrong('must be true or false for exists');
    case 'one':
      return isOfField(field, value)
        ? undefined
        : wrong(`must be a value of the field, which has type ${field.type}`);
    case 'many':
      return Array.isArray(value) && value.length >= 1 && value.length <= LITERALS_MAX && isEach(value)
        ? undefined
        : wrong(`must be a list of 1 to ${LITERALS_MAX} values of the field`);
    case 'pair': {
      if (!Array.isArray(value) || value.length !== 2 || !isEach(value) || !isOrdered(field)) {
        return wrong('must be a list of the smallest and the largest value');
      }
      const [min, greatest] = value as [FieldValue, FieldValue];
      return min <= greatest
        ? undefined
        : { code: 'value_order', message: 'must have its smaller value first' };
    }
  }
}

/** Returns the currencies that are fixed by atoms among the members of an `all`. */
export function pinnedCurrencies(members: readonly unknown[]): string[] {
  const pinned = members.slice(0, ATOMS_MAX).flatMap((member) => {
    if (!isAtomForm(member) || member.field !== 'currency') return [];
    if (member.op === 'eq') return [String(member.value)];
    return member.op === 'in' && Array.isArray(member.value) && member.value.length === 1
      ? [String(member.value[0])]
      : [];
  });
  return [...new Set(pinned)];
}

/**
 * Returns the keyword (`all`, `any` or `not`) and the members of a group. Returns undefined if the value is
 * not a group.
 */
export function groupOf(
  given: unknown,
): { word: 'all' | 'any' | 'not'; members: readonly unknown[] } | undefined {
  if (typeof given !== 'object' || given === null) return undefined;
  const [word, ...others] = Object.keys(given);
  if (others.length > 0) return undefined;
  const inside: unknown = (given as Record<string, unknown>)[word ?? ''];
  if (word === 'not') return { word, members: [inside] };
  return (word === 'all' || word === 'any') && Array.isArray(inside) ? { word, members: inside } : undefined;
}

function isAtomForm(given: unknown): given is { field: unknown; op: unknown; value: unknown } {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return false;
  return Object.keys(given).toSorted().join() === 'field,op,value';
}
