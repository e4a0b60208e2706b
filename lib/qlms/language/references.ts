import { currencyOf } from './currencies.ts';
import type { Lexicon } from './lexicon.ts';
import type { Subject } from './query.ts';
import { nameKeys } from './tokens.ts';

/** The largest number of references that are looked up for one question. */
const REFERENCES_MAX = 20;

/** A word of a question with its marks: letters, digits and, between them, hyphens, slashes, full stops, underscores. */
const WORD = /[\p{L}\p{N}](?:[\p{L}\p{N}._/-]*[\p{L}\p{N}])?/gu;

/** Words with digits that are periods, ordinals or durations. */
const TIMES =
  /^(?:q[1-4]|h[12]|fy\d*|cy\d*|\d{4}[-/]?[qh]\d|[qh]\d[-/]?\d{4}|\d+[-.]?(?:st|nd|rd|th|s|d|w|m|y|k|bn|yr|yrs|day|days|week|weeks|month|months|quarter|quarters|year|years|bps?|pct|percent|fold))$/i;

/** The usual form of a reference, such as `LOAN-117` and `INV-2026-031`, and the form of a uid. */
const FORM = /^(?:[A-Z][A-Z0-9]+(?:[-/][A-Z0-9]+)*[-/]\d+|[a-z]{3}_[0-9A-HJKMNP-TV-Z]{26})$/;
const MONTH_OR_YEAR =
  /^(?:JAN|FEB|MAR|APR|MAY|JUN|JUL|AUG|SEP|SEPT|OCT|NOV|DEC|FY|CY|YEAR|MONTH|QUARTER)[-/]/i;

/** The position of a reference in a question. `subjects` is empty if no record has it. */
export type Reference = { text: string; from: number; to: number; subjects: readonly Subject[] };

/**
 * Returns the words of a question that may be references of records. Words that name something else are left out: known
 * names, currencies and periods.
 */
export function referenceTexts(question: string, lexicon: Lexicon): string[] {
  const isShouted = question === question.toUpperCase();
  const texts = [...question.matchAll(WORD)]
    .map(([text]) => text)
    .filter((text) => isReference(text, isShouted) && !isKnown(text, lexicon));
  return [...new Set(texts)].slice(0, REFERENCES_MAX);
}

function isReference(text: string, isShouted: boolean): boolean {
  if (text.length > 100 || TIMES.test(text) || !/\p{L}/u.test(text)) return false;
  const isUpper = text === text.toUpperCase() && text.length >= 3 && !isShouted;
  return isUpper || /\d/.test(text);
}

function isKnown(text: string, { symbols, full, joined }: Lexicon): boolean {
  const keys = nameKeys(text);
  return (
    symbols.has(text) ||
    full.has(keys.join(' ')) ||
    joined.has(keys.join('')) ||
    currencyOf(text.toLowerCase(), text) !== undefined
  );
}

/** Whether a word has the usual form of a reference, and is not a period. */
export function isReferenceForm(text: string): boolean {
  return FORM.test(text) && !MONTH_OR_YEAR.test(text) && !TIMES.test(text);
}

/** Returns a lexicon with the records that references of a question name, by the text of the reference. */
export function withReferences(
  lexicon: Lexicon,
  found: readonly { text: string; noun: string; label: string }[],
): Lexicon {
  const references = new Map<string, Subject[]>();
  for (const { text, noun, label } of found)
    references.set(text, [...(references.get(text) ?? []), { type: noun, key: label }]);
  return { ...lexicon, references };
}

/**
 * Returns the references in a question: those of known records, and words in the form of a reference that no record has.
 * A word of the second kind is unknown as a whole, so that none of its parts is read as a number or a name.
 */
export function referencesIn(question: string, lexicon: Lexicon): Reference[] {
  return [...question.matchAll(WORD)].flatMap(({ 0: text, index: from }) => {
    const subjects = lexicon.references?.get(text);
    const isUnknown = isReferenceForm(text) && !isKnown(text, lexicon);
    return subjects || isUnknown ? [{ text, from, to: from + text.length, subjects: subjects ?? [] }] : [];
  });
}
