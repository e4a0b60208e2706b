import type { Fact } from '../facts/fact.ts';

/** The digits after the decimal point of a displayed double. */
const DOUBLE_DIGITS = 4;

type Shown = { text: string; rounding: Fact['rounding'] };

/**
 * Returns the formatted value of a fact: decimals unchanged, doubles rounded half to even. Texts show the fact only in
 * this form.
 */
export function display({
  value,
  number,
  text,
  currency,
  unit,
}: Pick<Fact, 'value' | 'number' | 'text' | 'currency' | 'unit'>): Shown {
  if (text !== null) return { text, rounding: null };
  const suffix = suffixOf(unit, currency);
  if (value !== null) return { text: `${value}${suffix}`, rounding: null };
  if (number === null) return { text: '', rounding: null };
  return { text: `${rounded(number)}${suffix}`, rounding: { mode: 'half_even', digits: DOUBLE_DIGITS } };
}

function suffixOf(unit: string, currency: string | null): string {
  if (currency !== null) return ` ${currency}`;
  if (unit === 'percent') return ' percent';
  return '';
}

/** Rounds a double half to even at a fixed number of digits. Large and small doubles keep their shortest form. */
function rounded(number: number): string {
  const size = number < 0 ? -number : number;
  if (size >= 1e15 || (size !== 0 && size < 1e-4)) return String(number);
  const scaled = number * 10 ** DOUBLE_DIGITS;
  const below = Math.floor(scaled);
  const rest = scaled - below;
  const whole = rest > 0.5 || (rest === 0.5 && below % 2 !== 0) ? below + 1 : below;
  const digits = String(whole < 0 ? -whole : whole).padStart(DOUBLE_DIGITS + 1, '0');
  const at = digits.length - DOUBLE_DIGITS;
  return `${whole < 0 ? '-' : ''}${digits.slice(0, at)}.${digits.slice(at)}`;
}
