import { instantOf } from '#lib/core/clock.ts';
import type { Environment } from '#lib/database/base.ts';
import type { Scope } from '#lib/core/scope.ts';
import { minorDigits } from '#lib/core/money.ts';

/**
 * What a value is. **money** are minor units of the currency that the input names, **integer** is a count, **id** an
 * integer that names something and has no order, **instant** is UTC with milliseconds and Z, so that texts compare as
 * times do, **set** are distinct words.
 */
export type FieldType = 'money' | 'integer' | 'id' | 'text' | 'instant' | 'boolean' | 'set';

export type FieldValue = number | string | boolean | readonly string[];

export type Field = {
  type: FieldType;
  description: string;
  /** The scope that a caller needs to be told a value of it. */
  readBy: Scope;
  /** Of a number, the least and the greatest. */
  min?: number;
  max?: number;
  /** Of a text or the words of a set, all that there are, or their form. */
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

/** The words of the published catalogue. What the word stands for is looked up in the input alone. */
export const fields = {
  decision_point: {
    ...actions,
    type: 'text',
    values: ['delegation_approval', 'authorize', 'batch_release', 'workflow_admission'],
    description: 'Where the policies are asked.',
  },
  environment: { ...actions, type: 'text', values: environments, description: 'Where it happens.' },
  now: { ...actions, type: 'instant', description: 'When it happens. There is no other clock.' },
  'local_time.hour': {
    ...actions,
    type: 'integer',
    min: 0,
    max: 23,
    description: 'The hour in the time zone of the delegation or the workspace.',
  },
  'local_time.weekday': {
    ...actions,
    type: 'integer',
    min: 1,
    max: 7,
    description: 'The day of the week there, ISO 8601: 1 is Monday.',
  },
  action: { ...actions, ...key, description: 'The key of the action in the catalogue of actions.' },
  connector: { ...actions, ...key, description: 'The key of the connector that would carry it out.' },
  currency: {
    ...actions,
    type: 'text',
    form: currency,
    description: 'ISO 4217. The currency of every amount of the input.',
  },
  counterparty_id: { ...actions, ...id, description: 'The counterparty.' },
  risk_tier: {
    ...actions,
    type: 'text',
    values: ['T1', 'T2', 'T3'],
    description: 'The tier of risk of the action.',
  },
  execution_mode: {
    ...actions,
    type: 'text',
    values: ['dry_run', 'supervised', 'autonomous'],
    description: 'Who carries it out.',
  },
  amount_minor: { ...actions, ...money, description: 'The amount of this one action.' },
  per_action_minor: { ...actions, ...money, description: 'What the delegation allows for an action.' },
  per_day_minor: { ...actions, ...money, description: 'What the delegation allows for a day.' },
  per_month_minor: { ...actions, ...money, description: 'What the delegation allows for a month.' },
  'usage.day_minor': {
    ...actions,
    ...money,
    description: 'What is used and reserved of the day, without this.',
  },
  'usage.month_minor': {
    ...actions,
    ...money,
    description: 'What is used and reserved of the month, without this.',
  },
  'identity.uid': { ...actions, ...uid, description: 'The machine identity that acts.' },
  'identity.age_days': {
    ...actions,
    ...count,
    description: 'Whole days since the identity came into force.',
  },
  'delegation.uid': { ...actions, ...uid, description: 'The delegation that is used or to be approved.' },
  'delegation.valid_days': {
    ...actions,
    ...count,
    description: 'Days that the delegation lasts, begun ones.',
  },
  'application.uid': { ...actions, ...uid, description: 'The application that asks.' },
  'obligation.uid': { ...actions, ...uid, description: 'The obligation that is acted on.' },
  'obligation.governance_state': {
    ...actions,
    type: 'text',
    values: ['registered', 'disputed', 'superseded', 'withdrawn'],
    description: 'How the obligation stands.',
  },
  'obligation.type': { ...actions, ...key, description: 'The kind of the obligation.' },
  'batch.uid': { ...batch, ...uid, description: 'The order batch.' },
  'batch.order_count': { ...batch, ...count, description: 'Orders of the batch.' },
  'batch.gross_minor': { ...batch, ...money, description: 'Amounts of all its orders, added up.' },
  'batch.largest_order_minor': {
    ...batch,
    ...money,
    description: 'The greatest amount of one of its orders.',
  },
  'batch.currencies': { ...batch, type: 'set', form: currency, description: 'The currencies of its orders.' },
  'workflow.key': { readBy: 'workflow:read', ...key, description: 'The workflow that is to run.' },
  'workflow.has_effects': {
    readBy: 'workflow:read',
    type: 'boolean',
    description: 'Whether it changes anything outside of the workspace.',
  },
  'workflow.connectors': {
    readBy: 'workflow:read',
    type: 'set',
    form: key.form,
    description: 'The keys of the connectors that it uses.',
  },
} as const satisfies Record<string, Field>;

export type FieldName = keyof typeof fields;

export const fieldNames = Object.keys(fields) as FieldName[];

/** What a decision is asked about. What is left out or null is not known, which is never taken for zero. */
export type PolicyInput = { readonly [name in FieldName]?: FieldValue | null };

/** The field of a name, or undefined for a word that is none. */
export function fieldOf(name: unknown): Field | undefined {
  return typeof name === 'string' && Object.hasOwn(fields, name) ? fields[name as FieldName] : undefined;
}

/** Stands where the input has a value that is none of its field's. */
export const INVALID = Symbol('invalid');

/** The input as it is compared: without what is not known, and with `INVALID` for what is not valid. */
export type KnownInput = { readonly [name in FieldName]?: FieldValue | typeof INVALID };

export function knownInput(input: PolicyInput): KnownInput {
  const known: { [name in FieldName]?: FieldValue | typeof INVALID } = {};
  for (const name of fieldNames) {
    const value = input[name] ?? null;
    if (value !== null) known[name] = isOfField(fields[name], value) ? value : INVALID;
  }
  return known;
}

/** Whether a value is one of the field's: of its type, in its range, and one of its words. */
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
