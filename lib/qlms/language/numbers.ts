import { withoutTrailing } from '#lib/core/without-trailing.ts';
import type { Atom } from './atoms.ts';

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const ORDINALS =
  'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const SCALES: Readonly<Record<string, bigint>> = {
  thousand: 1000n,
  million: 1_000_000n,
  millions: 1_000_000n,
  mn: 1_000_000n,
  billion: 1_000_000_000n,
  billions: 1_000_000_000n,
  bn: 1_000_000_000n,
  trillion: 1_000_000_000_000n,
  trillions: 1_000_000_000_000n,
};

/** A number in a question. `value` is its decimal text. */
export type NumberRead = { value: string; length: number };

/**
 * Reads the number that begins at an atom: digits or words, with a scale word after it. Two two-digit numbers in words
 * are a year: "twenty twenty" is 2020. Returns undefined if no number begins there.
 */
export function numberAt(atoms: readonly Atom[], at: number): NumberRead | undefined {
  const read = digitsAt(atoms, at) ?? wordsAt(atoms, at);
  if (!read) return undefined;
  const scale = SCALES[atoms[at + read.length]?.key ?? ''];
  return scale === undefined ? read : { value: times(read.value, scale), length: read.length + 1 };
}

/** Reads an ordinal: `4th`, `fourth`. */
export function ordinalAt(atoms: readonly Atom[], at: number): NumberRead | undefined {
  const atom = atoms[at];
  if (atom?.kind === 'number' && /^(st|nd|rd|th)$/.test(atoms[at + 1]?.key ?? '') && touches(atoms, at))
    return { value: atom.key, length: 2 };
  const index = ORDINALS.indexOf(atom?.key ?? '');
  return index > 0 ? { value: String(index), length: 1 } : undefined;
}

function touches(atoms: readonly Atom[], at: number): boolean {
  return atoms[at]!.to === atoms[at + 1]!.from;
}

function digitsAt(atoms: readonly Atom[], at: number): NumberRead | undefined {
  const atom = atoms[at];
  if (atom?.kind !== 'number') return undefined;
  const isNegative =
    atom.before === '-' || /^[-–−]$/u.test(atom.before.slice(-1)) ? isSigned(atoms, at) : false;
  return { value: `${isNegative ? '-' : ''}${atom.key.replaceAll(',', '')}`, length: 1 };
}

/**
 * Whether the hyphen directly before a number is a sign: the number is the first atom, or a space is before the hyphen.
 */
function isSigned(atoms: readonly Atom[], at: number): boolean {
  const last = atoms[at - 1];
  return last === undefined || last.to < atoms[at]!.from - 1;
}

function wordsAt(atoms: readonly Atom[], at: number): NumberRead | undefined {
  let total = 0;
  let group = 0;
  let length = 0;
  let lastWasPair = false;
  for (let index = at; index < atoms.length; index += 1) {
    const key = atoms[index]!.key;
    const unit = SMALL.indexOf(key);
    const ten = TENS.indexOf(key);
    if (key === 'hundred' && length > 0) group *= 100;
    else if (key === 'thousand' && length > 0) {
      total += group * 1000;
      group = 0;
    } else if (key === 'and' && length > 0 && (total > 0 || group >= 100) && isSmall(atoms[index + 1]?.key)) {
      // A number such as "two thousand and twenty" continues after "and".
    } else if (ten >= 0) {
      if (group % 100 !== 0 && !lastWasPair) break;
      group = lastWasPair && group % 100 !== 0 ? group * 100 + (ten + 2) * 10 : group + (ten + 2) * 10;
      lastWasPair = group < 100;
    } else if (unit >= 0) {
      if (unit >= 10 && group >= 10 && group < 100) group = group * 100 + unit;
      else if (group % 10 !== 0 || (unit >= 10 && group % 100 !== 0)) break;
      else group += unit;
      lastWasPair = group >= 10 && group < 100;
    } else break;
    length = index - at + 1;
  }
  return length === 0 ? undefined : { value: String(total + group), length };
}

function isSmall(key: string | undefined): boolean {
  return key !== undefined && (SMALL.includes(key) || TENS.includes(key));
}

function times(text: string, scale: bigint): string {
  const [whole = '0', decimals = ''] = text.replace('-', '').split('.');
  const digits = BigInt(whole + decimals) * scale;
  const padded = digits.toString().padStart(decimals.length + 1, '0');
  const at = padded.length - decimals.length;
  const fraction = withoutTrailing(padded.slice(at), '0');
  return `${text.startsWith('-') ? '-' : ''}${padded.slice(0, at)}${fraction === '' ? '' : `.${fraction}`}`;
}
