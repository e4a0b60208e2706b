import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { fieldNames, fieldOf, isOfField, type Field, type FieldName, type FieldValue } from './fields.ts';
import { isOrdered, literalOf, operators, operatorsOf, type Literal, type Operator } from './operators.ts';

/** How a condition nests and how many atoms it has at most. An empty `all` counts as one. */
export const DEPTH_MAX = 8;
export const ATOMS_MAX = 200;
const LITERALS_MAX = 200;

export type Atom = { field: FieldName; op: Operator; value: Literal };
export type Condition =
  | { all: readonly Condition[] }
  | { any: readonly Condition[] }
  | { not: Condition }
  | Atom;

const inner = { additionalProperties: true, description: 'A condition again.' };

/** The outer form of a condition, as the wire has it; `checkCondition` holds all of it. */
export const ConditionSchema = Closed(
  {
    all: Type.Optional(
      Type.Array(Type.Object({}, inner), {
        maxItems: ATOMS_MAX,
        description: 'All of them hold. Without any it always holds.',
      }),
    ),
    any: Type.Optional(
      Type.Array(Type.Object({}, inner), {
        minItems: 1,
        maxItems: ATOMS_MAX,
        description: 'At least one of them holds.',
      }),
    ),
    not: Type.Optional(Type.Object({}, { additionalProperties: true, description: 'It does not hold.' })),
    field: Type.Optional(
      Type.Enum([...fieldNames], { description: 'What is compared.', examples: ['amount_minor'] }),
    ),
    op: Type.Optional(Type.Enum([...operators], { description: 'How.', examples: ['lte'] })),
    value: Type.Optional(
      Type.Unknown({
        description:
          'With what: a value of the field; for `in`, `not_in` and `subset_of` a list, for `between` the least and ' +
          'the greatest, for `exists` true or false.',
        examples: [500_000],
      }),
    ),
  },
  {
    title: 'PolicyCondition',
    description:
      'Either `all`, `any` or `not` alone, or `field`, `op` and `value` together. ' +
      `It nests ${DEPTH_MAX} deep at most and compares ${ATOMS_MAX} times at most.`,
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
 * Every fault of a condition, by JSON pointer; none for one that may be brought into force. Looks at no more than the
 * limits allow, whatever is given.
 *
 * An amount means something in its currency alone. So one is compared only where a currency is fixed: by `currency eq`
 * (or `in` one) beside it in the same `all` or in an `all` around it, or by a scope of one currency, which is given.
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
    walk.atoms += 1; // so that many siblings that are all too deep come to an end
    return say('condition_depth', `nests deeper than ${DEPTH_MAX}`);
  }
  const group = groupOf(given);
  if (group) {
    if (group.members.length === 0) countAtom(walk, say);
    if (group.word === 'any' && group.members.length === 0) say('condition_empty', 'can never hold', '/any');
    const pinned = group.word === 'all' ? pinnedCurrencies(group.members) : [];
    if (pinned.length > 1) say('currency_ambiguous', `asks for ${pinned.join(' and ')} at once`, '/all');
    const currency = pinned.length === 1 ? pinned[0] : place.currency;
    for (const [index, member] of group.members.entries()) {
      if (walk.atoms > ATOMS_MAX) return;
      const at = group.word === 'not' ? '/not' : `/${group.word}/${index}`;
      visit(member, { pointer: pointer + at, depth: depth + 1, currency }, walk);
    }
    return;
  }
  countAtom(walk, say);
  if (!isAtomForm(given)) return say('condition_form', 'is neither all, any, not nor field, op and value');
  checkAtom(given, place.currency, say);
}

function countAtom(walk: Walk, say: (code: ConditionFaultCode, message: string) => void): void {
  walk.atoms += 1;
  if (walk.atoms === ATOMS_MAX + 1) say('condition_atoms', `compares more than ${ATOMS_MAX} times`);
}

function checkAtom(
  atom: { field: unknown; op: unknown; value: unknown },
  currency: string | undefined,
  say: (code: ConditionFaultCode, message: string, at: string) => void,
): void {
  const field = fieldOf(atom.field);
  const isKnownOp = operators.includes(atom.op as Operator);
  if (!field) say('unknown_field', 'is no field of the catalogue', '/field');
  if (!isKnownOp) say('unknown_operator', `is none of ${operators.join(', ')}`, '/op');
  if (!field || !isKnownOp) return;
  const op = atom.op as Operator;
  if (!operatorsOf[field.type].includes(op)) {
    return say(
      'operator_type',
      `a field of type ${field.type} takes ${operatorsOf[field.type].join(', ')}`,
      '/op',
    );
  }
  const fault = literalFault(field, op, atom.value);
  if (fault) say(fault.code, fault.message, '/value');
  if (field.type === 'money' && op !== 'exists' && currency === undefined) {
    say(
      'currency_missing',
      'an amount is compared beside its currency: fix one in the same all or the scope',
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
      return typeof value === 'boolean' ? undefined : wrong('exists takes true or false');
    case 'one':
      return isOfField(field, value)
        ? undefined
        : wrong(`is no value of the field, whose type is ${field.type}`);
    case 'many':
      return Array.isArray(value) && value.length >= 1 && value.length <= LITERALS_MAX && isEach(value)
        ? undefined
        : wrong(`takes a list of 1 to ${LITERALS_MAX} values of the field`);
    case 'pair': {
      if (!Array.isArray(value) || value.length !== 2 || !isEach(value) || !isOrdered(field)) {
        return wrong('takes a list of the least and the greatest value');
      }
      const [min, greatest] = value as [FieldValue, FieldValue];
      return min <= greatest
        ? undefined
        : { code: 'value_order', message: 'the least is above the greatest' };
    }
  }
}

/** The currencies that atoms among the members of an `all` fix. */
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

/** The group that a value is, with its members, or undefined. */
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
