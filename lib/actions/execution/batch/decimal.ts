import { withoutTrailing } from '#lib/core/without-trailing.ts';

/** Decimals of quantities and prices. */
const FRACTION = 8;
const ONE = 10n ** BigInt(FRACTION);

/** Digits of a quantity or price, as the wire has them. */
export const DECIMAL_PATTERN = '^\\d{1,15}(\\.\\d{1,8})?$';
const form = new RegExp(DECIMAL_PATTERN);

/** A decimal text times 10^8, exact; undefined for what is none. Example: `'1.5'` is 150000000n. */
export function parseDecimal(text: string): bigint | undefined {
  if (!form.test(text)) return undefined;
  const [whole = '', decimals = ''] = text.split('.');
  return BigInt(whole) * ONE + BigInt(decimals.padEnd(FRACTION, '0'));
}

/** The shortest text of a scaled decimal. Inverse of `parseDecimal` up to zeros: 150000000n is `'1.5'`. */
export function formatDecimal(scaled: bigint): string {
  const [sign, size] = scaled < 0n ? ['-', -scaled] : ['', scaled];
  const decimals = withoutTrailing((size % ONE).toString().padStart(FRACTION, '0'), '0');
  return `${sign}${size / ONE}${decimals === '' ? '' : `.${decimals}`}`;
}

/** Quantity times price in minor units of a currency, both scaled; a part of a unit counts as a whole one. */
export function notionalMinor(quantity: bigint, price: bigint, digits: number): bigint {
  const parts = ONE * ONE;
  return (quantity * price * 10n ** BigInt(digits) + parts - 1n) / parts;
}
