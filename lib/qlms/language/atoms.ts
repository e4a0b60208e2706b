import { tokenise, type Token } from './tokens.ts';

/**
 * A unit of the question that has a meaning of its own: a word or a part of a word, a number, a date, or a symbol that
 * counts as a word. `before` has the symbols between the previous atom and this atom.
 */
export type Atom = {
  kind: Token['kind'];
  key: string;
  text: string;
  from: number;
  to: number;
  before: string;
  isPossessive: boolean;
};

/** Symbols that stand for words. */
const MARK_WORDS: Readonly<Record<string, string>> = {
  '&': 'and',
  '%': '%',
  $: '$',
  '€': '€',
  '£': '£',
  '¥': '¥',
  '>': '>',
  '<': '<',
  '>=': '>=',
  '<=': '<=',
  '≥': '>=',
  '≤': '<=',
  '+': '+',
  '/': '/',
};

/** Symbols that separate words and have no meaning of their own. Any other symbol has a meaning. */
const SEPARATORS = /^[-–—,.?!:"'“”‘’()¿¡…]$/u;

/** Abbreviations of period words, with the full words that names and phrases use. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  yr: 'year',
  yrs: 'years',
  qtr: 'quarter',
  qtrs: 'quarters',
  mth: 'month',
  mths: 'months',
};

/** Returns the atoms of a text. */
export function atomsOf(text: string): Atom[] {
  const atoms: Atom[] = [];
  let before = '';
  for (const token of tokenise(text)) {
    if (token.kind === 'mark' && SEPARATORS.test(token.text)) {
      before += token.text;
      continue;
    }
    for (const part of partsOf(token)) {
      atoms.push({ ...part, before });
      before = '';
    }
  }
  return atoms;
}

function partsOf(token: Token): Omit<Atom, 'before'>[] {
  if (token.kind === 'mark') return [{ ...token, key: MARK_WORDS[token.text] ?? token.text }];
  if (token.kind !== 'word' || !/[_.]/.test(token.text))
    return [{ ...token, key: ABBREVIATIONS[token.key] ?? token.key }];
  const parts: Omit<Atom, 'before'>[] = [];
  for (const match of token.text.matchAll(/[^_.]+/g)) {
    const from = token.from + match.index;
    const text = match[0];
    const key = text
      .normalize('NFD')
      .replace(/\p{M}/gu, '')
      .toLowerCase()
      .replace(/['’]s?$/, '')
      .replace(/['’]/g, '');
    parts.push({
      kind: 'word',
      key,
      text,
      from,
      to: from + text.length,
      isPossessive: /['’]s?$/i.test(text),
    });
  }
  return parts;
}
