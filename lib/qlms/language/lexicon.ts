import { nameKeys } from './tokens.ts';
import { closedPhrases } from './closed-words.ts';
import type { Reading } from './readings.ts';
import type { Subject } from './query.ts';

/** A name that a question may use. Names of the kind `symbol` are matched only as written, in upper case. */
export type Name =
  | { kind: 'measure'; key: string; name: string }
  | { kind: 'entity'; type: string; key: string; name: string; isSymbol?: boolean }
  | { kind: 'sector'; value: string; name: string };

/** The names of a caller, indexed by their words. */
export type Lexicon = {
  full: ReadonlyMap<string, readonly Reading[]>;
  leading: ReadonlyMap<string, readonly Subject[]>;
  symbols: ReadonlyMap<string, readonly Subject[]>;
  joined: ReadonlyMap<string, string>;
  words: ReadonlySet<string>;
  longest: number;
  /** The records that references in the question name, by the text of the reference. */
  references?: ReadonlyMap<string, readonly Subject[]>;
};

/** Words at the end of a company's name that a question may leave out. */
const LEGAL = new Set(
  'inc corp corporation co company companies ltd limited plc gmbh ag sa nv se llc lp group holdings holding the cos class a b c'.split(
    ' ',
  ),
);

/** Builds the index of names. Takes less than 150 ms of processor time for 10,000 names. */
export function buildLexicon(names: readonly Name[]): Lexicon {
  const full = new Map<string, Reading[]>();
  const leading = new Map<string, Subject[]>();
  const symbols = new Map<string, Subject[]>();
  const joined = new Map<string, string>();
  const words = new Set<string>();
  const begun = new Map<string, Set<string>>();
  let longest = 1;
  for (const name of names) {
    if (name.kind === 'entity' && name.isSymbol === true) {
      addTo(symbols, name.name, { type: name.type, key: name.key });
      continue;
    }
    const keys = nameKeys(name.name);
    const phrase = keys.join(' ');
    if (phrase === '') continue;
    longest = Math.max(longest, keys.length);
    addReading(full, phrase, name);
    joined.set(keys.join(''), phrase);
    for (const key of keys) if (key.length >= 5) words.add(key);
    if (name.kind === 'sector') addReading(full, singularOf(phrase), name);
    if (name.kind === 'entity') addShort(name, keys, { full, leading, joined });
    // The leading words of a feature, such as "12 month", are words of other meanings.
    if (name.kind === 'measure' && !name.key.startsWith('feature.')) addLeading(begun, name.key, keys);
  }
  for (const [phrase, keys] of begun)
    if (keys.size === 1 && !full.has(phrase)) full.set(phrase, [{ slot: 'measure', keys: [...keys] }]);
  return { full, leading, symbols, joined, words, longest };
}

/** Returns the singular of a phrase: "utility" for "utilities", "financial" for "financials". */
function singularOf(phrase: string): string {
  return phrase.endsWith('ies') ? `${phrase.slice(0, -3)}y` : phrase.replace(/([^s])s$/, '$1');
}

/**
 * Adds each group of two or more leading words of a measure's name, such as "10-year Treasury". A group does not end
 * with a word such as "of" or "the".
 */
function addLeading(begun: Map<string, Set<string>>, measure: string, keys: readonly string[]): void {
  for (let length = 2; length < keys.length; length += 1) {
    if (/^(of|and|the|in|for|to|not|all|on)$/.test(keys[length - 1]!)) continue;
    const phrase = keys.slice(0, length).join(' ');
    begun.set(phrase, (begun.get(phrase) ?? new Set()).add(measure));
  }
}

type Maps = { full: Map<string, Reading[]>; leading: Map<string, Subject[]>; joined: Map<string, string> };

/**
 * Adds two short forms of a name: the name without "The" and without its legal form, and its leading words, such as the
 * first word alone.
 */
function addShort(
  name: Name & { kind: 'entity' },
  keys: readonly string[],
  { full, leading, joined }: Maps,
): void {
  const subject = { type: name.type, key: name.key };
  const start = keys[0] === 'the' && keys.length > 1 ? 1 : 0;
  let end = keys.length;
  while (end > start + 1 && LEGAL.has(keys[end - 1]!)) end -= 1;
  const bare = keys.slice(start, end);
  if (bare.length < keys.length) {
    addReading(full, bare.join(' '), name);
    joined.set(bare.join(''), bare.join(' '));
  }
  const isName =
    name.type === 'instrument' ||
    name.type === 'company' ||
    name.type === 'counterparty' ||
    name.type === 'factor';
  if (!isName) return;
  let phrase = '';
  for (const key of bare.slice(0, -1)) {
    phrase = phrase === '' ? key : `${phrase} ${key}`;
    if (phrase.length >= 2) addTo(leading, phrase, subject);
  }
}

/** The largest number of subjects that are stored for one phrase. No clarification offers more than eight. */
const CANDIDATES_MAX = 100;

function addTo(map: Map<string, Subject[]>, phrase: string, subject: Subject): void {
  const held = map.get(phrase);
  if (held === undefined) map.set(phrase, [subject]);
  else addSubject(held, subject);
}

function addReading(map: Map<string, Reading[]>, phrase: string, name: Name): void {
  const held = map.get(phrase);
  if (held === undefined) {
    map.set(phrase, [readingOf(name)]);
    return;
  }
  if (name.kind === 'measure') {
    const found = held.find(({ slot }) => slot === 'measure') as { keys: string[] } | undefined;
    if (found === undefined) held.push(readingOf(name));
    else if (!found.keys.includes(name.key)) found.keys.push(name.key);
  } else if (name.kind === 'entity') {
    const found = held.find(({ slot }) => slot === 'entity') as { subjects: Subject[] } | undefined;
    if (found === undefined) held.push(readingOf(name));
    else addSubject(found.subjects, name);
  } else if (!held.some(({ slot }) => slot === 'sector')) held.push(readingOf(name));
}

/** Returns a reading with lists of its own, to which further names with the same phrase are added. */
function readingOf(name: Name): Reading {
  if (name.kind === 'measure') return { slot: 'measure', keys: [name.key] };
  if (name.kind === 'sector') return { slot: 'sector', value: name.value };
  return { slot: 'entity', subjects: [{ type: name.type, key: name.key }] };
}

function addSubject(subjects: Subject[], { type, key }: Subject): void {
  if (subjects.length >= CANDIDATES_MAX) return;
  if (!subjects.some((each) => each.key === key && each.type === type)) subjects.push({ type, key });
}

/** Whether a phrase belongs to the closed vocabulary of the grammar. */
export function isClosed(phrase: string): boolean {
  return closedPhrases.has(phrase);
}

/**
 * Returns the words of names that differ from a word by one edit: an added, a removed or a replaced letter, or two
 * exchanged letters.
 */
export function nearWords(lexicon: Lexicon, word: string): string[] {
  if (word.length < 4) return [];
  const near: string[] = [];
  for (const each of lexicon.words)
    if (Math.abs(each.length - word.length) <= 1 && isOneEdit(each, word)) near.push(each);
  return near;
}

function isOneEdit(one: string, other: string): boolean {
  const [short, long] = one.length <= other.length ? [one, other] : [other, one];
  let at = 0;
  while (at < short.length && short[at] === long[at]) at += 1;
  if (short.length < long.length) return short.slice(at) === long.slice(at + 1);
  if (short.slice(at + 1) === long.slice(at + 1)) return at < short.length;
  return (
    short[at] === long[at + 1] && short[at + 1] === long[at] && short.slice(at + 2) === long.slice(at + 2)
  );
}
