import { instantOf } from '#lib/core/clock.ts';
import type { Environment } from '#lib/database/base.ts';
import type { Scope } from '#lib/core/scope.ts';
import { minorDigits } from '#lib/core/money.ts';

/**
 * The type of a value. **money**: minor units of the currency named in the input. **integer**: a count.
 * **id**: an integer identifier without an order. **instant**: UTC with milliseconds and `Z`, so that texts
 * sort like times. **set**: distinct words.
 */
export type FieldType = 'money' | 'integer' | 'id' | 'text' | 'instant' | 'boolean' | 'set';

export type FieldValue = number | string | boolean | readonly string[];

export type Field = {
  type: FieldType;
  description: string;
  /** The scope that a caller needs to see values of the field. */
  readBy: Scope;
  /** The smallest allowed value of a number. `max` is the largest. */
  min?: number;
  max?: number;
  /** The allowed values of a text or of the words of a set, or a function that checks their form. */
  values?: readonly string[];
  form?: (text: string) => boolean;
};

const actions = { readBy: 'actions:read' } as const;
const batch = { readBy: 'investment:read' } as const;
const money = { type: 'money', min: 0, max: Number.MAX_SAFE_INTEGER } as const;
const count = { type: 'integer', min: 0, max: Number.MAX_SAFE_INTEGER } as const;
const id = { type: 'id', min: 1, max: 2_147_483_647 } as const;
const key = { type: 'text', form: (text: string) => /^[a-z][a-z0-9_.-]{0,63}$/.test(text) } as const;
const uid = {
  type: 'text',
  form: (text: string) => /^[a-z]{3}_[0-7][0-9A-HJKMNP-TV-Z]{25}$/.test(text),
} as const;
const currency = (text: string) => minorDigits(text) !== undefined;
const environments = ['sandbox', 'production'] as const satisfies readonly Environment[];

/** The fields of the published catalogue. Their values are read from the input alone. */
export const fields = {
  decision_point: {
    ...actions,
    type: 'text',
    values: ['delegation_approval', 'authorize', 'batch_release', 'workflow_admission'],
    description: 'The point at which the policies are evaluated.',
  },
  environment: {
    ...actions,
    type: 'text',
    values: environments,
    description: 'The environment of the action.',
  },
  now: {
    ...actions,
    type: 'instant',
    description: 'The time of the action, in UTC. Conditions have no other clock.',
  },
  'local_time.hour': {
    ...actions,
    type: 'integer',
    min: 0,
    max: 23,
    description: 'The hour, 0 to 23, in the time zone of the delegation or the workspace.',
  },
  'local_time.weekday': {
    ...actions,
    type: 'integer',
    min: 1,
    max: 7,
    description: 'The day of the week in the same time zone, ISO 8601: 1 is Monday, 7 is Sunday.',
  },
  action: { ...actions, ...key, description: 'The key of the action in the catalogue of actions.' },
  connector: { ...actions, ...key, description: 'The key of the connector that would execute the action.' },
  currency: {
    ...actions,
    type: 'text',
    form: currency,
    description: 'The currency of every amount in the input, ISO 4217.',
  },
  counterparty_id: { ...actions, ...id, description: 'The id of the counterparty.' },
  risk_tier: {
    ...actions,
    type: 'text',
    values: ['T1', 'T2', 'T3'],
    description: 'The risk tier of the action.',
  },
  execution_mode: {
    ...actions,
    type: 'text',
    values: ['dry_run', 'supervised', 'autonomous'],
    description:
      'The execution mode: `dry_run` only evaluates, `supervised` prepares for a person, `autonomous` acts.',
  },
  amount_minor: { ...actions, ...money, description: 'The amount of this action, in minor units.' },
  per_action_minor: {
    ...actions,
    ...money,
    description: 'The limit of the delegation per action, in minor units.',
  },
  per_day_minor: {
    ...actions,
    ...money,
    description: 'The limit of the delegation per day, in minor units.',
  },
  per_month_minor: {
    ...actions,
    ...money,
    description: 'The limit of the delegation per month, in minor units.',
  },
  'usage.day_minor': {
    ...actions,
    ...money,
    description: 'The amount used and reserved today, without this action, in minor units.',
  },
  'usage.month_minor': {
    ...actions,
    ...money,
    description: 'The amount used and reserved this month, without this action, in minor units.',
  },
  'identity.uid': { ...actions, ...uid, description: 'The machine identity that executes the action.' },
  'identity.age_days': {
    ...actions,
    ...count,
    description: 'Whole days since the identity became active.',
  },
  'delegation.uid': {
    ...actions,
    ...uid,
    description: 'The delegation that is used or that waits for approval.',
  },
  'delegation.valid_days': {
    ...actions,
    ...count,
    description: 'The term of the delegation in days. A started day counts as a full day.',
  },
  'application.uid': { ...actions, ...uid, description: 'The application that makes the request.' },
  'obligation.uid': { ...actions, ...uid, description: 'The obligation that the action is about.' },
  'obligation.governance_state': {
    ...actions,
    type: 'text',
    values: ['registered', 'disputed', 'superseded', 'withdrawn'],
    description: 'The governance state of the obligation.',
  },
  'obligation.type': { ...actions, ...key, description: 'The type of the obligation.' },
  'batch.uid': { ...batch, ...uid, description: 'The order batch.' },
  'batch.order_count': { ...batch, ...count, description: 'The number of orders in the batch.' },
  'batch.gross_minor': {
    ...batch,
    ...money,
    description: 'The sum of the amounts of all orders in the batch, in minor units.',
  },
  'batch.largest_order_minor': {
    ...batch,
    ...money,
    description: 'The largest amount of one order in the batch, in minor units.',
  },
  'batch.currencies': {
    ...batch,
    type: 'set',
    form: currency,
    description: 'The currencies of the orders in the batch.',
  },
  'workflow.key': { readBy: 'workflow:read', ...key, description: 'The workflow that is about to run.' },
  'workflow.has_effects': {
    readBy: 'workflow:read',
    type: 'boolean',
    description: 'Whether the workflow changes anything outside the workspace.',
  },
  'workflow.connectors': {
    readBy: 'workflow:read',
    type: 'set',
    form: key.form,
    description: 'The keys of the connectors that the workflow uses.',
  },
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;

export const fieldNames = Object.keys(fields) as FieldName[];

/** The input of a decision. A field that is left out or null is unknown. It is never read as zero. */
export type PolicyInput = { readonly [name in FieldName]?: FieldValue | null };

/** Returns the field with a name, or undefined if the catalogue has no such field. */
export function fieldOf(name: unknown): Field | undefined {
  return typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name as FieldName] : undefined;
}

/** A marker that replaces a value which is not valid for its field. */
export const INVALID = Symbol('invalid');

/**
 * The input in the form in which conditions read it: without unknown fields, and with `INVALID` in place of values that
 * are not valid.
 */
export type KnownInput = { readonly [name in FieldName]?: FieldValue | typeof INVALID };

export function knownInput(input: PolicyInput): KnownInput {
  const known: { [name in FieldName]?: FieldValue | typeof INVALID } = {};
  for (const name of fieldNames) {
    const value = input[name] ?? null;
    if (value !== null) known[name] = isOfField(fields[name], value) ? value : INVALID;
  }
  return known;
}

/**
 * Whether a value is valid for a field: it has the type of the field, is in the range of the field, and is one of the
 * allowed values if the field has such values.
 */
export function isOfField(field: Field, value: unknown): value is FieldValue {
  switch (field.type) {
    case 'money':
    case 'integer':
    case 'id':
      return (
        Number.isSafeInteger(value) && (value as number) >= field.min! && (value as number) <= field.max!
      );
    case 'instant':
      return typeof value === 'string' && isInstant(value);
    case 'boolean':
      return typeof value === 'boolean';
    case 'text':
      return isWord(field, value);
    case 'set':
      return Array.isArray(value) && value.every((word) => isWord(field, word));
  }
}

function isWord({ values, form }: Field, value: unknown): boolean {
  if (typeof value !== 'string') return false;
  return values ? values.includes(value) : form!(value);
}

function isInstant(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/.test(text)) return false;
  const time = instantOf(text).getTime();
  return !Number.isNaN(time) && instantOf(time).toISOString() === text;
}
