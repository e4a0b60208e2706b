import type { Fact } from '../facts/fact.ts';
import type { SemanticQuery } from '../language/query.ts';
import { mentionText, type Mention, type Mentioned, type MentionContext, type Names } from './mentions.ts';
import { prepositionOf } from './period-words.ts';

/** A part of a text: words without digits, a displayed fact, or something that a fact or the query names. */
export type Part = string | { shown: Fact } | { what: Mentioned; of: Fact | null };

/** The position of a displayed fact in a text, in UTF-16 units. */
export type Slot = { from: number; to: number; fact: string };
export type Sentences = { text: string; slots: Slot[]; mentions: Mention[] };

export const shown = (fact: Fact): Part => ({ shown: fact });
export const named = (what: Mentioned, of: Fact | null = null): Part => ({ what, of });

/** The measure of a fact, with its subject: "revenue of Acme Ltd". */
export function figure(fact: Fact): Part[] {
  return [named('measure', fact), ...subject(fact, ' of ')];
}

export function subject(fact: Fact, before: string): Part[] {
  return fact.of === null || fact.of === '' ? [] : [before, named('subject', fact)];
}

/** " in September 2020". Nothing if the fact has no period. */
export function period(fact: Fact): Part[] {
  return fact.period === null ? [] : [` ${prepositionOf(fact.period)} `, named('period', fact)];
}

const PLAIN_UNITS = /^(money|text|percent|count|number|ratio|date|period|times|value|hash)$/;

/** Units that a person reads after the value: "4.1 percent per year". Other units are put in brackets. */
const READ_UNITS =
  /^(percent per year|percentage points|basis points|shares|(billions|millions|thousands) of [a-z ]+)$/;

/** The value of a fact with its unit, where the displayed value does not state it. */
export function amount(fact: Fact): Part[] {
  if (fact.currency !== null || fact.text !== null || PLAIN_UNITS.test(fact.unit)) return [shown(fact)];
  return READ_UNITS.test(fact.unit)
    ? [shown(fact), ' ', named('unit', fact)]
    : [shown(fact), ' (', named('unit', fact), ')'];
}

/** The value of a fact next to others of the same unit, which state it. */
export function bare(fact: Fact): Part[] {
  return [shown(fact)];
}

/** " from January 2008 to December 2009", " over the last 12 periods". Nothing if the query has no window. */
export function window({ period: asked }: SemanticQuery): Part[] {
  if (asked?.last !== undefined) return [' over the last ', named('last'), ' periods'];
  if (asked?.from === undefined) return [];
  if (asked.to === undefined) return [' since ', named('from')];
  return asked.from === asked.to
    ? [` ${prepositionOf(asked.from)} `, named('from')]
    : [' from ', named('from'), ' to ', named('to')];
}

/** Writes parts as a text, with the positions of the facts and of what is mentioned. Begins with a capital letter. */
export function joinParts(parts: readonly Part[], query: SemanticQuery, names: Names): Sentences {
  let text = '';
  const slots: Slot[] = [];
  const mentions: Mention[] = [];
  const context: MentionContext = { query, names };
  for (const part of parts) {
    const from = text.length;
    if (typeof part === 'string') text += part;
    else if ('shown' in part) {
      text += part.shown.display;
      slots.push({ from, to: text.length, fact: part.shown.id });
    } else {
      text += mentionText(part.what, part.of ?? undefined, context) ?? '';
      if (text.length > from)
        mentions.push({ from, to: text.length, what: part.what, fact: part.of?.id ?? null });
    }
  }
  return { text, slots, mentions };
}
