import { asked } from '#lib/core/asked.ts';
import type { Reading } from './readings.ts';

/** The records whose words and readers are part of the language: those with amounts, parties or several dates. */
const BUILT_IN = ['obligation', 'delegation', 'exception', 'workflow_run', 'transaction'] as const;

/** The records that questions can count and list, by the key of their measure. */
export const recordNouns: readonly string[] = [...BUILT_IN, ...Object.keys(asked)];

export function isRecordNoun(key: string): boolean {
  return recordNouns.includes(key);
}

/** How a field of records is read. `party` is the id of a counterparty, which answers show by its name. */
export type FieldKind = 'text' | 'day' | 'count' | 'money' | 'party';

type FieldOfNoun = {
  reads: FieldKind;
  /** The cues of other questions that also name the field. */
  cues?: readonly string[];
  /** Further words for the field. */
  names?: readonly string[];
};

/** The fields of the built-in records that questions can name. */
const BUILT_IN_FIELDS: Readonly<Record<(typeof BUILT_IN)[number], Readonly<Record<string, FieldOfNoun>>>> = {
  obligation: {
    outstanding: { reads: 'money', cues: ['owe'] },
    original: {
      reads: 'money',
      names: [
        'original amount',
        'original principal',
        'initial amount',
        'face value',
        'principal',
        'original size',
      ],
    },
    due_date: { reads: 'day', cues: ['due'] },
    counterparty: {
      reads: 'party',
      names: ['counterparty', 'lender', 'creditor', 'other party', 'owed to', 'do we owe it to'],
    },
    type: { reads: 'text', names: ['type', 'kind', 'what kind'] },
    state: { reads: 'text', names: ['state', 'status'] },
    currency: { reads: 'text', names: ['currency', 'which currency', 'what currency', 'denominated'] },
  },
  delegation: {
    per_action: { reads: 'money', cues: ['per_action'] },
    per_day: { reads: 'money', cues: ['per_day'] },
    per_month: { reads: 'money', cues: ['per_month'] },
    valid_until: { reads: 'day', cues: ['valid_until'] },
    state: { reads: 'text', names: ['state', 'status'] },
    currency: { reads: 'text', names: ['currency', 'which currency', 'what currency'] },
  },
  exception: {
    amount: { reads: 'money', names: ['amount', 'amounts', 'by amount'] },
    opened_at: { reads: 'day', cues: ['opened'] },
    severity: { reads: 'text', cues: ['severity'] },
    kind: { reads: 'text', names: ['type', 'kind', 'what kind'] },
    state: { reads: 'text', names: ['state', 'status'] },
  },
  workflow_run: {
    started: { reads: 'day', names: ['start', 'started', 'begin', 'begun'] },
    ended: { reads: 'day', names: ['finish', 'finished', 'ended', 'end'] },
    state: { reads: 'text', names: ['state', 'status'] },
    error: { reads: 'text', cues: ['error'] },
  },
  transaction: {
    amount: { reads: 'money', names: ['amount', 'amounts', 'by amount'] },
    booked_at: { reads: 'day', names: ['booking date', 'booked', 'booking day'] },
    account: { reads: 'text', cues: ['account'] },
    status: { reads: 'text', names: ['state', 'status'] },
  },
};

/** Returns the fields of the records of a noun that questions can name. */
export function fieldsOf(noun: string): Readonly<Record<string, FieldOfNoun>> {
  const declared = asked[noun];
  return BUILT_IN_FIELDS[noun as (typeof BUILT_IN)[number]] ?? { ...declared?.fields, ...declared?.figures };
}

/** Whether a field of declared records is a figure, which a reader computes. */
export function isFigure(noun: string, field: string): boolean {
  return Object.hasOwn(asked[noun]?.figures ?? {}, field);
}

/** Returns the cues that name a field of a noun. */
export function cuesOfField(noun: string, field: string): readonly string[] {
  const { cues = [], names = [] } = fieldsOf(noun)[field]!;
  return names.length > 0 ? [fieldCue(field), ...cues] : cues;
}

/** The cue of the name of a declared field. */
export function fieldCue(field: string): string {
  return `field:${field}`;
}

/** The words for the fields of the built-in records. */
const builtInWords = Object.values(BUILT_IN_FIELDS).flatMap((fields) =>
  Object.entries(fields)
    .filter(([, { names = [] }]) => names.length > 0)
    .map(
      ([field, { names = [] }]) => [{ slot: 'cue', cue: fieldCue(field) } as const, names.join('|')] as const,
    ),
);

/** The words for declared records, their states and their fields. */
export const askedWords: readonly (readonly [Reading, string])[] = [...builtInWords, ...declaredWords()];

function declaredWords(): (readonly [Reading, string])[] {
  return Object.entries(asked).flatMap(([noun, { names, fields, figures = {}, words = {} }]) => [
    [{ slot: 'noun', noun } as const, names.join('|')] as const,
    ...Object.entries(words).flatMap(([field, values]) =>
      Object.entries(values).map(
        ([value, own]) =>
          [{ slot: 'state', states: [{ noun, field, value }] } as const, own.join('|')] as const,
      ),
    ),
    ...Object.entries({ ...fields, ...figures })
      .filter(([, field]) => field.names.length > 0)
      .map(
        ([field, { names: own }]) => [{ slot: 'cue', cue: fieldCue(field) } as const, own.join('|')] as const,
      ),
  ]);
}
