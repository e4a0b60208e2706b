import { isDate } from '#lib/core/date.ts';

/**
 * The functions in this file check single fields. Each returns the reason why a text is not valid, or `undefined` for a
 * valid text. They run for every field of files with millions of rows.
 */

export const SYMBOL_CHARACTERS_MAX = 32;
export const DECIMAL_DIGITS_MAX = 30;
export const TEXT_CHARACTERS_MAX = 200;

const SERIES = /^[A-Za-z0-9][A-Za-z0-9.^=_-]{0,63}$/;
const SYMBOL = /^[A-Za-z0-9.^=_-]{1,32}$/;
const ZERO = 48;
const NINE = 57;
const POINT = 46;

export function symbolFault(text: string): string | undefined {
  if (SYMBOL.test(text)) return undefined;
  return text === ''
    ? 'is empty'
    : `must have 1 to ${SYMBOL_CHARACTERS_MAX} characters: letters, digits and . ^ = _ -`;
}

/** Checks the key of an economic series. */
export function seriesFault(text: string): string | undefined {
  if (SERIES.test(text)) return undefined;
  return text === ''
    ? 'is empty'
    : 'must have 1 to 64 letters, digits and . ^ = _ -, and begin with a letter or digit';
}

/** Checks a calendar date, from the year 1 (PostgreSQL has no year 0) to `today`. */
export function dateFault(text: string, today: string): string | undefined {
  if (!isDate(text) || text < '0001-01-01')
    return text === '' ? 'is empty' : 'is not a calendar date YYYY-MM-DD';
  return text > today ? `is after today, ${today} (UTC)` : undefined;
}

/** Checks a decimal like `decimalFault`, but allows a leading minus. */
export function signedDecimalFault(text: string): string | undefined {
  return decimalFault(/^-[^-]/.test(text) ? text.slice(1) : text, 'zero');
}

/**
 * Checks a plain decimal number: digits with an optional point and decimals. A sign, an exponent, leading
 * zeros and more than 30 digits are not allowed. The number stays a text, so its value and decimals are
 * exactly those of the file.
 */
export function decimalFault(text: string, min: 'above zero' | 'zero'): string | undefined {
  const length = text.length;
  let point = -1;
  let isZero = true;
  for (let position = 0; position < length; position++) {
    const code = text.charCodeAt(position);
    if (code >= ZERO && code <= NINE) {
      if (code !== ZERO) isZero = false;
    } else if (code === POINT && point < 0 && position > 0) point = position;
    else return notDecimal(text);
  }
  if (length === 0 || point === length - 1) return notDecimal(text);
  if (length > 1 && text.charCodeAt(0) === ZERO && point !== 1) return 'has leading zeros';
  if (length - (point < 0 ? 0 : 1) > DECIMAL_DIGITS_MAX) return `has more than ${DECIMAL_DIGITS_MAX} digits`;
  return isZero && min === 'above zero' ? 'is not above 0' : undefined;
}

function notDecimal(text: string): string {
  if (text === '') return 'is empty';
  return /^-\d/.test(text) ? 'is negative' : 'is not a plain decimal number such as 28.70';
}

/**
 * Compares two decimals that `decimalFault` accepts. Returns a negative number, zero or a positive number.
 * Exact for any length.
 */
export function compareDecimals(one: string, other: string): number {
  const [oneWhole = '', oneRest = ''] = one.split('.');
  const [otherWhole = '', otherRest = ''] = other.split('.');
  if (oneWhole.length !== otherWhole.length) return oneWhole.length - otherWhole.length;
  if (oneWhole !== otherWhole) return oneWhole < otherWhole ? -1 : 1;
  const width = Math.max(oneRest.length, otherRest.length);
  const [left, right] = [oneRest.padEnd(width, '0'), otherRest.padEnd(width, '0')];
  return left === right ? 0 : left < right ? -1 : 1;
}

/** Checks a name or label: not empty, not too long, and without control characters such as line breaks. */
export function textFault(text: string): string | undefined {
  if (text.trim() === '') return 'is empty';
  if (text.length > TEXT_CHARACTERS_MAX) return `has more than ${TEXT_CHARACTERS_MAX} characters`;
  return /\p{Cc}/u.test(text) ? 'has control characters' : undefined;
}
