import { asked } from '#lib/core/asked.ts';
import type { Reading } from './readings.ts';

/** The records whose words and readers are part of the language: those with amounts, parties or several dates. */
const BUILT_IN = ['obligation', 'delegation', 'exception', 'workflow_run', 'transaction'] as const;

/** The records that questions can count and list, by the key of their measure. */
export const recordNouns: readonly string[] = [...BUILT_IN, ...Object.keys(asked)];

export function isRecordNoun(key: string): boolean {
  return recordNouns.includes(key);
}

/** The cue of the name of a declared field. */
export function fieldCue(field: string): string {
  return `field:${field}`;
}

/** The words for declared records, their states and their fields. */
export const askedWords: readonly (readonly [Reading, string])[] = Object.entries(asked).flatMap(
  ([noun, { names, fields, words = {} }]) => [
    [{ slot: 'noun', noun } as const, names.join('|')] as const,
    ...Object.entries(words).flatMap(([field, values]) =>
      Object.entries(values).map(
        ([value, own]) =>
          [{ slot: 'state', states: [{ noun, field, value }] } as const, own.join('|')] as const,
      ),
    ),
    ...Object.entries(fields)
      .filter(([, field]) => field.names.length > 0)
      .map(
        ([field, { names: own }]) => [{ slot: 'cue', cue: fieldCue(field) } as const, own.join('|')] as const,
      ),
  ],
);
