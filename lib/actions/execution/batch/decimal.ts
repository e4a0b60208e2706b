import { withoutTrailing } from '#lib/core/without-trailing.ts';

/** The number of decimals of quantities and prices. */
const FRACTION = 8;
const ONE = 10n ** BigInt(FRACTION);

/** The format of a quantity or price on the wire. */
export const DECIMAL_PATTERN = '^\\d{1,15}(\\.\\d{1,8})?$';
const form = new RegExp(DECIMAL_PATTERN);

/**
 * Parses a decimal text. Returns its value times 10^8, exact; undefined if the text is not a decimal. Example: `'1.5'`
 * is 150000000n.
 */
export function parseDecimal(text: string): bigint | undefined {
  if (!form.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole) * ONE + BigInt(decimals.padEnd(FRACTION, '0'));
}

/**
 * Returns the shortest text of a scaled decimal. Inverse of `parseDecimal`, except for trailing zeros.
 * Example: 150000000n is `'1.5'`.
 */
export function formatDecimal(scaled: bigint): string {
  const [sign, size] = scaled < 0n ? ['-', -scaled] : ['', scaled];
  const decimals = withoutTrailing((size % ONE).toString().padStart(FRACTION, '0'), '0');
  return `${sign}${size / ONE}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Returns quantity times price in minor units of a currency, rounded up. Both factors are scaled by 10^8. */
export function notionalMinor(quantity: bigint, price: bigint, digits: number): bigint {
  const parts = ONE * ONE;
  return (quantity * price * 10n ** BigInt(digits) + parts - 1n) / parts;
}
