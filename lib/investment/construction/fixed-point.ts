import { withoutTrailing } from '#lib/core/without-trailing.ts';
/** Quantities and prices are decimals times 10^8. */
export const UNIT = 100_000_000n;
/** Minor units of a major unit, by the decimals of the currency. */
const SCALES = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/** Returns the minor units of a major unit. Throws a `RangeError` on more than 8 decimals. */
export function minorScale(minorDigits: number): number {
  const scale = SCALES[minorDigits];
  if (scale === undefined) throw new RangeError(`a currency with ${minorDigits} decimals is not known`);
  return scale;
}

/**
 * Returns quantity times price in minor units, rounded half to even.
 *
 * Example: 1.5 shares at 0.33 with two decimals are 49.5 minor units, so 50n.
 */
export function amountMinor(quantity: bigint, price: bigint, minorDigits: number): bigint {
  return divideHalfEven(quantity * price * BigInt(minorScale(minorDigits)), UNIT * UNIT);
}

/** Returns the quotient rounded to the nearest integer, halves to the even one. The divisor is above 0. */
export function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const below = divideFloor(dividend, divisor);
  const twice = 2n * (dividend - below * divisor);
  const isUp = twice > divisor || (twice === divisor && below % 2n !== 0n);
  return isUp ? below + 1n : below;
}

/** Returns the quotient rounded towards minus infinity. The divisor is above 0. */
export function divideFloor(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
}

/** Returns the quotient rounded towards infinity. The divisor is above 0. */
export function divideCeiling(dividend: bigint, divisor: bigint): bigint {
  return -divideFloor(-dividend, divisor);
}

/** Returns a decimal text times 10^8. The text has at most 8 decimals. */
export function parseFixed(text: string): bigint {
  const [whole = '0', decimals = ''] = text.split('.');
  return BigInt(whole) * UNIT + BigInt(decimals.padEnd(8, '0'));
}

/** Formats a decimal times 10^8 without trailing zeros. Example: 150000000n is `1.5`. */
export function formatFixed(value: bigint): string {
  const size = value < 0n ? -value : value;
  const decimals = withoutTrailing((size % UNIT).toString().padStart(8, '0'), '0');
  return `${value < 0n ? '-' : ''}${size / UNIT}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Returns the nearest double of a decimal times 10^8. */
export const fixedToNumber = (value: bigint): number => Number(value) / 1e8;
