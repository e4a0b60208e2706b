import { divideHalfEven, type Fraction } from '#lib/core/decimal.ts';

/** The longest decimal text that is read. */
const TEXT_MAX = 60;
const form = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * Parses a decimal text with an optional sign as an exact fraction. Returns undefined if the text has another form or
 * more than 60 characters. Example: `'-0.25'` is -25/100.
 */
export function parseExact(text: string): Fraction | undefined {
  if (text.length > TEXT_MAX) return undefined;
  const [, sign, whole, decimals = ''] = form.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const size = BigInt(whole + decimals);
  return { numerator: sign === '-' ? -size : size, denominator: 10n ** BigInt(decimals.length) };
}

/** Returns the order of two fractions: below 0, 0, or above 0. */
export function compareExact(one: Fraction, other: Fraction): number {
  const difference = one.numerator * other.denominator - other.numerator * one.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function addExact(one: Fraction, other: Fraction): Fraction {
  if (one.denominator === other.denominator) {
    return { numerator: one.numerator + other.numerator, denominator: one.denominator };
  }
  return {
    numerator: one.numerator * other.denominator + other.numerator * one.denominator,
    denominator: one.denominator * other.denominator,
  };
}

export function multiplyExact(one: Fraction, other: Fraction): Fraction {
  return {
    numerator: one.numerator * other.numerator,
    denominator: one.denominator * other.denominator,
  };
}

/** Divides two fractions. The divisor is not 0. */
export function divideExact(dividend: Fraction, divisor: Fraction): Fraction {
  const sign = divisor.numerator < 0n ? -1n : 1n;
  return {
    numerator: sign * dividend.numerator * divisor.denominator,
    denominator: sign * dividend.denominator * divisor.numerator,
  };
}

/** Returns the sum of fractions; 0 if there are none. */
export function sumExact(all: readonly Fraction[]): Fraction {
  return all.reduce(addExact, { numerator: 0n, denominator: 1n });
}

/**
 * Returns a fraction as decimal text with the given number of significant digits, rounded half to even. Examples with
 * three digits: 1/3 is `'0.333'`, 2 is `'2.00'`, 999.97 is `'1000'`.
 */
export function significantText({ numerator, denominator }: Fraction, digits: number): string {
  const size = numerator < 0n ? -numerator : numerator;
  if (size === 0n) return '0';
  let decimals = digits - 1 - exponentOf(size, denominator);
  let scaled = scaledBy(size, denominator, decimals);
  if (scaled >= 10n ** BigInt(digits)) scaled = scaledBy(size, denominator, (decimals -= 1));
  const sign = numerator < 0n ? '-' : '';
  if (decimals <= 0) return `${sign}${scaled * 10n ** BigInt(-decimals)}`;
  const text = scaled.toString().padStart(decimals + 1, '0');
  return `${sign}${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
}

/** Returns a fraction as decimal text with a number of decimals, rounded half to even. */
export function decimalText({ numerator, denominator }: Fraction, decimals: number): string {
  const scaled = divideHalfEven(numerator * 10n ** BigInt(decimals), denominator);
  const size = (scaled < 0n ? -scaled : scaled).toString().padStart(decimals + 1, '0');
  const sign = scaled < 0n ? '-' : '';
  return decimals === 0 ? `${sign}${size}` : `${sign}${size.slice(0, -decimals)}.${size.slice(-decimals)}`;
}

/** Returns the exponent of the first significant digit of a positive fraction: 0 for 1 to 9.99, -1 for 0.1. */
function exponentOf(size: bigint, denominator: bigint): number {
  let exponent = size.toString().length - denominator.toString().length;
  const isBelow =
    exponent >= 0
      ? size < denominator * 10n ** BigInt(exponent)
      : size * 10n ** BigInt(-exponent) < denominator;
  if (isBelow) exponent -= 1;
  return exponent;
}

function scaledBy(size: bigint, denominator: bigint, decimals: number): bigint {
  return decimals >= 0
    ? divideHalfEven(size * 10n ** BigInt(decimals), denominator)
    : divideHalfEven(size, denominator * 10n ** BigInt(-decimals));
}
