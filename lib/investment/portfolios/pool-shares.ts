import { divideHalfEven, type Fraction } from '#lib/core/decimal.ts';

/** Returns the number of shares after a split, times 10^8, rounded half to even. */
export function splitShares(quantity: bigint, { numerator, denominator }: Fraction): bigint {
  return divideHalfEven(quantity * numerator, denominator);
}

/** Returns the number of shares before splits, from the number of shares after the splits. */
export function unsplitShares(quantity: bigint, ratios: readonly Fraction[]): bigint {
  return ratios.reduceRight(
    (shares, { numerator, denominator }) => divideHalfEven(shares * denominator, numerator),
    quantity,
  );
}
