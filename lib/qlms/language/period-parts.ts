import type { Atom } from './atoms.ts';
import { halfStretch, monthStretch, quarterStretch, type Grain, type Steps, type When } from './calendar.ts';
import { numberAt } from './numbers.ts';

/** A period, and the number of atoms that name it. */
export type WhenRead = { when: When; length: number };

/** The words for periods, each with its grain. */
export const GRAINS: Readonly<Record<string, Grain>> = {
  day: 'day',
  days: 'day',
  week: 'week',
  weeks: 'week',
  month: 'month',
  months: 'month',
  quarter: 'quarter',
  quarters: 'quarter',
  year: 'year',
  years: 'year',
};

/** Reads the beginning or the end of a year: "The first nine months of 2026", "the last two quarters of 2025". */
export function partAt(atoms: readonly Atom[], at: number): WhenRead | undefined {
  const isFirst = /^(first|opening|initial)$/.test(key(atoms, at));
  if (!isFirst && !/^(last|final|closing)$/.test(key(atoms, at))) return undefined;
  const count = numberAt(atoms, at + 1);
  const grain = count && GRAINS[key(atoms, at + 1 + count.length)];
  if (!count || (grain !== 'month' && grain !== 'quarter')) return undefined;
  const link = at + 2 + count.length;
  const skip = /^(of|in)$/.test(key(atoms, link)) ? 1 : 0;
  const year = skip === 1 ? yearNumberAt(atoms, link + 1) : undefined;
  const [most, number] = [grain === 'month' ? 12 : 4, Number(count.value)];
  if (!year || !Number.isInteger(number) || number < 1 || number > most) return undefined;
  const make = grain === 'month' ? monthStretch : quarterStretch;
  const from = make(year.value, isFirst ? 1 : most - number + 1);
  const to = make(year.value, isFirst ? number : most);
  const when: When =
    number === 1 ? { kind: 'stretch', ...from } : { kind: 'range', from, to, isChange: false };
  return { when, length: 3 + count.length + year.length };
}

/** The largest number of steps of a relative period. */
const STEPS_MAX = 1200;

/** Reads a whole number of days, weeks, months, quarters or years: "30 days", "six months", "one quarter". */
export function stepsAt(atoms: readonly Atom[], at: number): (Steps & { length: number }) | undefined {
  const read = numberAt(atoms, at);
  const grain = read && GRAINS[key(atoms, at + read.length)];
  const count = Number(read?.value);
  if (!read || !grain || !Number.isInteger(count) || count < 1 || count > STEPS_MAX) return undefined;
  return { count, grain, length: read.length + 1 };
}

/** Reads a quarter or half-year whose number is before the letter: "2Q 2016", "1H 2026". */
export function turnedQuarterAt(atoms: readonly Atom[], at: number): WhenRead | undefined {
  const [number, letter] = [key(atoms, at), key(atoms, at + 1)];
  const isTurned = letter === 'q' ? /^[1-4]$/.test(number) : letter === 'h' && /^[12]$/.test(number);
  if (!isTurned || atoms[at + 1]!.from !== atoms[at]!.to) return undefined;
  const skip = key(atoms, at + 2) === 'of' ? 1 : 0;
  const year = yearNumberAt(atoms, at + 2 + skip);
  const make = letter === 'q' ? quarterStretch : halfStretch;
  return (
    year && { when: { kind: 'stretch', ...make(year.value, Number(number)) }, length: 2 + skip + year.length }
  );
}

/** Reads the number of a year: "2024", "two thousand nineteen", "'19". */
export function yearNumberAt(
  atoms: readonly Atom[],
  at: number,
): { value: number; length: number } | undefined {
  const atom = atoms[at];
  // "Q2 '19": an apostrophe stands for the century.
  if (atom?.kind === 'number' && /^\d\d$/.test(atom.key) && /['’]$/.test(atom.before))
    return { value: (Number(atom.key) < 70 ? 2000 : 1900) + Number(atom.key), length: 1 };
  if (atom?.kind === 'number')
    return /^(1[6-9]|20|21)\d\d$/.test(atom.key) ? { value: Number(atom.key), length: 1 } : undefined;
  const read = numberAt(atoms, at);
  return read && /^(1[6-9]|20|21)\d\d$/.test(read.value)
    ? { value: Number(read.value), length: read.length }
    : undefined;
}

/** Returns the key of an atom; an empty text after the last atom. */
export function key(atoms: readonly Atom[], at: number): string {
  return atoms[at]?.key ?? '';
}
