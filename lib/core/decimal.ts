import { withoutTrailing } from './without-trailing.ts';

/** The number of decimals of quantities and prices. */
const FRACTION = 8;
/** The number 1 as a scaled decimal. */
export const ONE = 10n ** BigInt(FRACTION);

/** The format of a quantity or price on the wire. */
export const DECIMAL_PATTERN = '^\\d{1,15}(\\.\\d{1,8})?$';
const form = new RegExp(DECIMAL_PATTERN);

/**
 * Parses a decimal text. Returns the value times 10^8 without rounding, or undefined if the text is not a
 * decimal. Example: `'1.5'` is 150000000n.
 */
export function parseDecimal(text: string): bigint | undefined {
  if (!form.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole) * ONE + BigInt(decimals.padEnd(FRACTION, '0'));
}

/**
 * Returns the shortest text of a decimal that is scaled by 10^8. Inverse of `parseDecimal`, except for
 * trailing zeros. Example: 150000000n is `'1.5'`.
 */
export function formatDecimal(scaled: bigint): string {
  const [sign, size] = scaled < 0n ? ['-', -scaled] : ['', scaled];
  const decimals = withoutTrailing((size % ONE).toString().padStart(FRACTION, '0'), '0');
  return `${sign}${size / ONE}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Returns quantity times price in minor units of a currency, rounded up. Both factors are scaled by 10^8. */
export function notionalMinor(quantity: bigint, price: bigint, digits: number): bigint {
  return divideUp(quantity * price * 10n ** BigInt(digits), ONE * ONE);
}

/** An exact rational number. The denominator is above 0. */
export type Fraction = { numerator: bigint; denominator: bigint };

/** The longest text that `parseFraction` reads. */
const FRACTION_TEXT_MAX = 60;
const fractionForm = /^(\d+)(?:\.(\d+))?$/;

/**
 * Parses a decimal text of any precision, without sign or exponent. Returns undefined if the text has another
 * form or more than 60 characters. Example: `'0.25'` is 25/100.
 */
export function parseFraction(text: string): Fraction | undefined {
  if (text.length > FRACTION_TEXT_MAX) return undefined;
  const [, whole, decimals = ''] = fractionForm.exec(text) ?? [];
  if (whole === undefined) return undefined;
  return { numerator: BigInt(whole + decimals), denominator: 10n ** BigInt(decimals.length) };
}

/**
 * Divides two integers and rounds the quotient half to even. The divisor is above 0. Examples: 5 / 2 is 2, 7 / 2 is
 * 4, -5 / 2 is -2.
 */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const below = divideDown(dividend, divisor);
  const twice = 2n * (dividend - below * divisor);
  const isUp = twice > divisor || (twice === divisor && below % 2n !== 0n);
  return isUp ? below + 1n : below;
}

/** Divides two integers and rounds the quotient down. The divisor is above 0. Example: -5 / 2 is -3. */
export function divideDown(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend < 0n && quotient * divisor !== dividend ? quotient - 1n : quotient;
}

/** Divides two integers and rounds the quotient up. The divisor is above 0. Example: -5 / 2 is -2. */
export function divideUp(dividend: bigint, divisor: bigint): bigint {
  return -divideDown(-dividend, divisor);
}

/** Returns quantity times price in minor units of a currency, rounded half to even. Both factors are scaled by 10^8. */
export function amountMinor(quantity: bigint, price: bigint, digits: number): bigint {
  return valueMinor(quantity, { numerator: price, denominator: ONE }, digits);
}

/**
 * Returns quantity times price in minor units of a currency, rounded half to even. The quantity is scaled by 10^8.
 * Example: 10.5 shares at 45.013 in a currency of 2 digits are 47264 minor units.
 */
export function valueMinor(quantity: bigint, price: Fraction, digits: number): bigint {
  return divideHalfEven(quantity * price.numerator * 10n ** BigInt(digits), ONE * price.denominator);
}
