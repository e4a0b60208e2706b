import { atomsOf, type Atom } from './atoms.ts';
import { CLOSED_LONGEST, closedPhrases, isWhole } from './closed-words.ts';
import { currencyOf } from './currencies.ts';
import { nearWords, type Lexicon } from './lexicon.ts';
import { numberAt, ordinalAt } from './numbers.ts';
import { whenAt } from './periods.ts';
import type { Lexeme, Reading } from './readings.ts';
import { referencesIn, type Reference } from './references.ts';
import type { Subject } from './query.ts';

/** The lexemes of a question. `corrections` lists the words that were read as a name one edit away. */
export type Lexed = { lexemes: Lexeme[]; corrections: string[] };

/** `today` resolves relative periods; `longest` limits the words of a closed phrase. */
export type LexOptions = { today: string; longest?: number };

/**
 * Splits a question into lexemes by the longest match over closed phrases, names, periods and numbers. A word that
 * matches nothing is read as the one name that is one edit away, if there is exactly one.
 */
export function lex(
  question: string,
  lexicon: Lexicon,
  { today, longest = CLOSED_LONGEST }: LexOptions,
): Lexed {
  const atoms = atomsOf(question);
  const isShouted = question === question.toUpperCase() && isOfWords(question);
  const references = new Map(referencesIn(question, lexicon).map((each) => [each.from, each]));
  const read = (list: readonly Atom[]): Lexeme[] =>
    lexAtoms(list, lexicon, { today, isShouted, longest, references });
  let lexemes = read(atoms);
  const corrections: string[] = [];
  let current = atoms;
  for (const lexeme of lexemes.filter(isUnknown).slice(0, 3)) {
    const at = current.findIndex(({ from }) => from === lexeme.from);
    const fixed = correct(current, at, { lexicon, read });
    if (!fixed) continue;
    current = fixed;
    corrections.push(lexeme.text);
  }
  if (corrections.length > 0) lexemes = read(current);
  return { lexemes, corrections };
}

function isUnknown({ readings }: Lexeme): boolean {
  return readings.some(({ slot }) => slot === 'unknown');
}

type Reread = { lexicon: Lexicon; read: (list: readonly Atom[]) => Lexeme[] };

/**
 * Corrects one misspelled word: replaces the word by a word that is one edit away and with which the atoms around it
 * form a name. Returns undefined unless all such replacements give the same name.
 */
function correct(atoms: readonly Atom[], at: number, { lexicon, read }: Reread): Atom[] | undefined {
  const word = atoms[at];
  if (word?.kind !== 'word') return undefined;
  const fits = nearWords(lexicon, word.key).flatMap((key) => {
    const changed = atoms.map((atom, index) => (index === at ? { ...atom, key } : atom));
    const lexeme = read(changed).find(({ from, to }) => from <= word.from && word.to <= to);
    const names = lexeme?.readings.filter(({ slot }) => slot === 'measure' || slot === 'entity') ?? [];
    // A factor and its instrument have the same name and key, so subjects with equal keys count as one.
    const isOne =
      names.length > 0 &&
      names.every(
        (each) => each.slot !== 'entity' || new Set(each.subjects.map((subject) => subject.key)).size === 1,
      );
    return isOne ? [{ changed, names: JSON.stringify(names) }] : [];
  });
  return new Set(fits.map(({ names }) => names)).size === 1 ? fits[0]!.changed : undefined;
}

type Context = {
  today: string;
  isShouted: boolean;
  longest: number;
  /** The references of the question, by their position. */
  references: ReadonlyMap<number, Reference>;
};

function lexAtoms(atoms: readonly Atom[], lexicon: Lexicon, context: Context): Lexeme[] {
  const lexemes: Lexeme[] = [];
  for (let at = 0; at < atoms.length;) {
    const { readings, length } = longestAt(atoms, at, { lexicon, ...context });
    const [first, last] = [atoms[at]!, atoms[at + length - 1]!];
    const reference = context.references.get(first.from);
    lexemes.push({
      from: first.from,
      to: last.to,
      text:
        reference?.text ??
        atoms
          .slice(at, at + length)
          .map(({ text }) => text)
          .join(' '),
      key: atoms
        .slice(at, at + length)
        .map(({ key }) => key)
        .join(' '),
      readings,
      isPossessive: last.isPossessive,
      isCapital: /^[\p{Lu}\d]/u.test(first.text),
      before: first.before,
    });
    at += length;
  }
  return lexemes;
}

type Match = { readings: readonly Reading[]; length: number };

function longestAt(atoms: readonly Atom[], at: number, context: Context & { lexicon: Lexicon }): Match {
  const reference = referenceAt(atoms, at, context.references);
  // A word in the form of a reference that no record has is unknown as a whole.
  if (reference?.readings.some(({ slot }) => slot === 'unknown')) return reference;
  const matches = [
    ...(reference ? [reference] : []),
    ...namesAt(atoms, at, context),
    ...closedAt(atoms, at, context),
    ...periodsAt(atoms, at, context.today),
    ...numbersAt(atoms, at),
    ...currenciesAt(atoms, at, context.isShouted),
  ];
  const length = Math.max(0, ...matches.map((match) => match.length));
  if (length === 0) return { readings: [{ slot: 'unknown' }], length: 1 };
  return {
    readings: matches.filter((match) => match.length === length).flatMap(({ readings }) => readings),
    length,
  };
}

function referenceAt(
  atoms: readonly Atom[],
  at: number,
  references: ReadonlyMap<number, Reference>,
): Match | undefined {
  const found = references.get(atoms[at]!.from);
  if (!found) return undefined;
  const after = atoms.findIndex(({ from }, index) => index > at && from >= found.to);
  const length = (after < 0 ? atoms.length : after) - at;
  const { subjects } = found;
  return { readings: subjects.length > 0 ? [{ slot: 'entity', subjects }] : [{ slot: 'unknown' }], length };
}

/**
 * Returns the phrase of `length` atoms from index `at` on; undefined if a punctuation mark separates two of them. In
 * names, commas and full stops do not separate.
 */
function phraseAt(atoms: readonly Atom[], at: number, length: number, isName: boolean): string | undefined {
  const parts = atoms.slice(at, at + length);
  const isApart = parts.slice(1).some(({ before }) => (isName ? /[?!:…]/ : /[?!:,.…]/).test(before));
  return parts.length < length || isApart ? undefined : parts.map(({ key }) => key).join(' ');
}

function namesAt(
  atoms: readonly Atom[],
  at: number,
  { lexicon, isShouted }: Context & { lexicon: Lexicon },
): Match[] {
  for (let length = Math.min(lexicon.longest, atoms.length - at); length > 0; length -= 1) {
    const phrase = phraseAt(atoms, at, length, true);
    if (phrase === undefined) continue;
    const full = lexicon.full.get(phrase) ?? [];
    const symbols = length === 1 ? symbolsAt(atoms[at]!, lexicon, isShouted) : [];
    const leading =
      full.some(({ slot }) => slot === 'entity') || symbols.length > 0
        ? []
        : leadingAt(atoms, at, { phrase, lexicon });
    const readings = [...full, ...symbols, ...leading];
    if (readings.length > 0) return [{ readings: merged(readings), length }];
  }
  const owner = ownerAt(atoms[at]!, lexicon);
  if (owner) return [{ readings: [owner], length: 1 }];
  const joined = atoms[at]!.key.length >= 5 ? lexicon.joined.get(atoms[at]!.key) : undefined;
  const readings = joined === undefined ? undefined : lexicon.full.get(joined);
  return readings ? [{ readings, length: 1 }] : [];
}

/** Reads a possessive without its apostrophe: "Acmes revenue". */
function ownerAt({ key }: Atom, lexicon: Lexicon): Reading | undefined {
  if (key.length < 5 || !key.endsWith('s') || closedPhrases.has(key) || currencyOf(key, '') !== undefined)
    return undefined;
  const subjects = entitiesOf(lexicon.full.get(key.slice(0, -1))) ?? lexicon.leading.get(key.slice(0, -1));
  return subjects && { slot: 'entity', subjects };
}

function entitiesOf(readings: readonly Reading[] | undefined): readonly Subject[] | undefined {
  const entity = readings?.find(({ slot }) => slot === 'entity');
  return entity?.slot === 'entity' ? entity.subjects : undefined;
}

function symbolsAt(atom: Atom, lexicon: Lexicon, isShouted: boolean): Reading[] {
  const text = atom.text.replace(/['’]s?$/, '');
  const subjects = lexicon.symbols.get(text);
  const isWord = (isShouted || text === 'I') && closedPhrases.has(atom.key);
  return subjects && !isWord ? [{ slot: 'entity', subjects }] : [];
}

/**
 * Reads names by their leading words. If the words are also a phrase of the closed vocabulary, they are read as a name
 * only if the first word has a capital letter and is not at the start of the question.
 */
function leadingAt(
  atoms: readonly Atom[],
  at: number,
  { phrase, lexicon }: { phrase: string; lexicon: Lexicon },
): Reading[] {
  const subjects = lexicon.leading.get(phrase);
  if (!subjects) return [];
  const isCapital = at > 0 && /^\p{Lu}/u.test(atoms[at]!.text);
  return closedPhrases.has(phrase) && !isCapital ? [] : [{ slot: 'entity', subjects }];
}

/** Joins the entities of several readings into one reading. */
function merged(readings: readonly Reading[]): Reading[] {
  const subjects = readings.flatMap((each) => (each.slot === 'entity' ? each.subjects : []));
  const others = readings.filter(({ slot }) => slot !== 'entity');
  const unique = subjects.filter((each, index) => subjects.findIndex((one) => isSame(one, each)) === index);
  return unique.length === 0 ? others : [...others, { slot: 'entity', subjects: unique }];
}

function isSame(one: Subject, other: Subject): boolean {
  return one.type === other.type && one.key === other.key;
}

function closedAt(atoms: readonly Atom[], at: number, { longest, today }: Context): Match[] {
  for (let length = Math.min(CLOSED_LONGEST, atoms.length - at); length > 0; length -= 1) {
    const phrase = phraseAt(atoms, at, length, false);
    const readings = phrase === undefined ? undefined : closedPhrases.get(phrase);
    // In "the close above that of A", the close is the measure. In "close above 40", the words are a comparator.
    if (length === 2 && /^closed? /.test(phrase ?? '') && !isBeforeNumber(atoms, at + length)) continue;
    // In "rise over 20", the words are a comparator. In "rise over the past year" and "rise over 2019", they are not.
    const isRise =
      phrase?.endsWith(' over') === true && readings?.some(({ slot }) => slot === 'comparator') === true;
    const isBeforePeriod = isRise && periodsAt(atoms, at + length, today).length > 0;
    if (isRise && (isBeforePeriod || !isBeforeNumber(atoms, at + length))) continue;
    if (readings && (length <= longest || isWhole(readings))) return [{ readings, length }];
  }
  return [];
}

function isBeforeNumber(atoms: readonly Atom[], at: number): boolean {
  const skip = /^(the|a|an)$/.test(atoms[at]?.key ?? '') ? 1 : 0;
  return numberAt(atoms, at + skip) !== undefined;
}

function periodsAt(atoms: readonly Atom[], at: number, today: string): Match[] {
  const read = whenAt(atoms, at, today);
  return read ? [{ readings: [{ slot: 'when', when: read.when }], length: read.length }] : [];
}

function numbersAt(atoms: readonly Atom[], at: number): Match[] {
  const number = numberAt(atoms, at);
  const ordinal = ordinalAt(atoms, at);
  const matches: Match[] = [];
  if (number) {
    const text = atoms[at]!.key;
    const version: Reading[] = /^(19|20)\d\d\.\d{1,2}$/.test(text)
      ? [{ slot: 'version', version: text }]
      : [];
    matches.push({ readings: [{ slot: 'number', value: number.value }, ...version], length: number.length });
  }
  if (ordinal)
    matches.push({ readings: [{ slot: 'nth', nth: Number(ordinal.value) }], length: ordinal.length });
  return matches;
}

function currenciesAt(atoms: readonly Atom[], at: number, isShouted: boolean): Match[] {
  for (let length = Math.min(3, atoms.length - at); length > 0; length -= 1) {
    const phrase = phraseAt(atoms, at, length, false);
    const code =
      phrase === undefined
        ? undefined
        : currencyOf(
            phrase,
            length === 1 && !isShouted
              ? atoms[at]!.text
              : length === 1 && !closedPhrases.has(phrase)
                ? atoms[at]!.text
                : '',
          );
    if (code !== undefined) return [{ readings: [{ slot: 'currency', codes: [code] }], length }];
  }
  return [];
}

/** Whether a text has a word of two capital letters, and later a further word with a capital letter. */
function isOfWords(text: string): boolean {
  const [, ...further] = text.slice(Math.max(0, text.search(/\p{Lu}{2}/u))).split(/\s/);
  return /\p{Lu}{2}/u.test(text) && further.some((word) => /\p{Lu}/u.test(word));
}
