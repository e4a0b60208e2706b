import { divideHalfEven, type Fraction } from '#lib/core/decimal.ts';

/** Shares after a split, times 10^8, rounded half to even. */
export function splitShares(quantity: bigint, { numerator, denominator }: Fraction): bigint {
  return divideHalfEven(quantity * numerator, denominator);
}

/** Shares before splits that become these shares after them. */
export function unsplitShares(quantity: bigint, ratios: readonly Fraction[]): bigint {
  return ratios.reduceRight(
    (shares, { numerator, denominator }) => divideHalfEven(shares * denominator, numerator),
    quantity,
  );
}
