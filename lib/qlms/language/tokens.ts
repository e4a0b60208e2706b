/**
 * A word, number or mark of a question. `key` is the text in lower case without accents, apostrophes and a final
 * possessive. `kind` `mark` is punctuation.
 */
export type Token = {
  kind: 'word' | 'number' | 'date' | 'mark';
  text: string;
  key: string;
  from: number;
  to: number;
  isPossessive: boolean;
};

const FORMS: readonly { kind: Token['kind']; form: RegExp }[] = [
  { kind: 'date', form: /\d{4}-\d{2}-\d{2}(?![\d-])/y },
  { kind: 'date', form: /\d{4}-(?:0[1-9]|1[0-2])(?![\d-])/y },
  { kind: 'date', form: /\d{4}[- ]?(?:[Qq][1-4]|[Hh][12])(?![\p{L}\d])/uy },
  { kind: 'date', form: /(?:Q[1-4]|H[12])[-/ ]?\d{4}(?!\d)/iy },
  { kind: 'date', form: /\d{1,2}[/.]\d{1,2}[/.]\d{4}(?!\d)/y },
  { kind: 'date', form: /\d{1,2}\/\d{4}(?!\d)/y },
  { kind: 'number', form: /\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)/y },
  { kind: 'number', form: /\d+(?:\.\d+)?/y },
  { kind: 'word', form: /\p{L}[\p{L}\p{M}\p{N}_]*(?:[.'’][\p{L}\p{N}][\p{L}\p{M}\p{N}_]*)*['’]?/uy },
  { kind: 'mark', form: /[><]=?|[≥≤]|[^\s]/uy },
];

const LETTER_FORMS = FORMS.filter(({ form }) => /^(?:\(\?:Q|\\p)/.test(form.source));
const DIGIT_FORMS = FORMS.filter(({ form }) => form.source.startsWith('\\d'));

/** Returns the forms that a text beginning with a character can have. */
function formsOf(code: number): typeof FORMS {
  if (code >= 48 && code <= 57) return DIGIT_FORMS;
  const isLetter = (code >= 65 && code <= 90) || (code >= 97 && code <= 122);
  return isLetter ? LETTER_FORMS : FORMS;
}

/**
 * Splits a text into tokens. White space separates them. Hyphens are marks, so `10-year` has three tokens; a name is
 * matched without its hyphens.
 */
export function tokenise(text: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (at < text.length) {
    const skipped = /\s*/y;
    skipped.lastIndex = at;
    at += skipped.exec(text)![0].length;
    const found = at < text.length ? tokenAt(text, at) : undefined;
    if (!found) break;
    tokens.push(found);
    at = found.to;
  }
  return tokens;
}

function tokenAt(text: string, at: number): Token | undefined {
  for (const { kind, form } of formsOf(text.charCodeAt(at))) {
    form.lastIndex = at;
    const [match] = form.exec(text) ?? [];
    if (match === undefined) continue;
    const isPossessive = kind === 'word' && /['’]s?$/i.test(match);
    return { kind, text: match, key: keyOf(match), from: at, to: at + match.length, isPossessive };
  }
  return undefined;
}

/** Returns the key of a word: lower case, without accents, a possessive `'s`, and apostrophes. */
export function keyOf(word: string): string {
  const plain = word.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();
  return plain.length === 1 ? plain : plain.replace(/['’]s?$/, '').replace(/['’]/g, '');
}

/**
 * Matches names that can be split at their spaces. Each word has only letters, digits after at least three letters (`Q1`
 * begins a period), or only digits. A comma or full stop may follow the letters.
 */
const WORD = String.raw`(?:&|[A-Za-z]+[.,]?|[A-Za-z]{3,}\d+|\d+)`;
const PLAIN = new RegExp(`^${WORD}(?: ${WORD})*$`);

/** Returns the keys by which a name is matched: no marks except `&`, which is read as "and". */
export function nameKeys(name: string): string[] {
  if (PLAIN.test(name)) return name.toLowerCase().split(' ').map(plainKey);
  return tokenise(name).flatMap((token) =>
    token.kind === 'mark' ? (token.text === '&' ? ['and'] : []) : partsOf(token.key),
  );
}

function plainKey(word: string): string {
  if (word === '&') return 'and';
  return word.endsWith('.') || word.endsWith(',') ? word.slice(0, -1) : word;
}

/** Splits a key at underscores and full stops: `ai_compute` is `ai`, `compute`. */
function partsOf(key: string): string[] {
  return /^\d/.test(key) ? [key] : key.split(/[_.]/).filter((part) => part !== '');
}

/**
 * Whether a text contains characters that no question needs: control characters, invisible characters, and characters
 * of markup or SQL.
 */
export function hasStrangeCharacters(text: string): boolean {
  if (/\p{C}|[\u2028\u2029\u180E\u3164\u115F\u1160]/u.test(text.replace(/[\t\n]/g, ' '))) return true;
  if (/[;*{}[\]\\=|~^#@`]|--|\/\/|<\s*[\p{L}/!]/u.test(text)) return true;
  return /[\p{L}\p{M}\p{N}]+/gu[Symbol.match](text)?.some(isMixed) ?? false;
}

/** Whether a word mixes Latin letters with letters of another script. */
function isMixed(word: string): boolean {
  return /\p{Script=Latin}/u.test(word) && /(?!\p{Script=Latin})\p{L}/u.test(word);
}
