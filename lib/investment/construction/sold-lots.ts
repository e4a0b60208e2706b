import { divideDown } from '#lib/core/decimal.ts';
import type { ConstructionLot } from './construction-input.ts';

/** Returns a key that identifies a slice of a lot among the lots of its symbol. */
export const lotKey = ({ lot, slice }: { lot: string; slice: number }): string => `${slice} ${lot}`;

/** Tax rates in basis points of a gain. */
export type TaxRates = { short: number; long: number };

export type SoldLot = {
  lot: string;
  slice: number;
  quantity: bigint;
  proceedsMinor: bigint;
  basisMinor: bigint;
  gainMinor: bigint;
};

/**
 * Orders lots by their tax per share at a price, smallest tax first. Lots with equal taxes keep their order.
 *
 * The tax of a lot is the tax rate of its term times the gain, which is proceeds minus basis. A loss has a
 * tax below 0.
 */
export function byTax(
  lots: readonly ConstructionLot[],
  { rates, valueOf }: { rates: TaxRates; valueOf: (quantity: bigint) => number },
): { lot: ConstructionLot; taxShare: number; gainShare: number }[] {
  return lots
    .map((lot) => {
      const proceeds = valueOf(lot.quantity);
      const gainShare = proceeds > 0 ? (proceeds - Number(lot.basisMinor)) / proceeds : 0;
      return { lot, gainShare, taxShare: (gainShare * rates[lot.term]) / 10_000 };
    })
    .map((each, at) => ({ each, at }))
    .sort((a, b) => a.each.taxShare - b.each.taxShare || a.at - b.at)
    .map(({ each }) => each);
}

/**
 * Takes a quantity from lots in their order. The proceeds are divided in proportion to the quantities. The
 * basis of a part of a lot is rounded down. Cumulative rounding keeps the sums of proceeds and basis exact.
 *
 * If the lots hold less than the quantity, the rest of the quantity is in no lot and has no basis. Quantities
 * must be above 0.
 *
 * Example: a sale of 3 shares for 300, from two lots of 2 shares each, takes 2 shares for 200 and 1 share for
 * 100.
 */
export function takeLots(
  lots: readonly ConstructionLot[],
  { quantity, proceedsMinor }: { quantity: bigint; proceedsMinor: bigint },
): SoldLot[] {
  const sold: SoldLot[] = [];
  let taken = 0n;
  for (const { lot, slice, quantity: held, basisMinor } of lots) {
    if (taken === quantity) break;
    const part = held < quantity - taken ? held : quantity - taken;
    const proceeds =
      divideDown(proceedsMinor * (taken + part), quantity) - divideDown(proceedsMinor * taken, quantity);
    const basis = divideDown(basisMinor * part, held);
    sold.push({
      lot,
      slice,
      quantity: part,
      proceedsMinor: proceeds,
      basisMinor: basis,
      gainMinor: proceeds - basis,
    });
    taken += part;
  }
  return sold;
}

/**
 * Returns the tax on sold lots in minor units. The tax of each lot is rounded down, so that the tax saving of
 * a loss is never rounded to 0.
 */
export function taxOf(
  sold: readonly SoldLot[],
  { terms, rates }: { terms: ReadonlyMap<string, 'short' | 'long'>; rates: TaxRates },
): bigint {
  let tax = 0n;
  for (const each of sold) {
    const rate = BigInt(Math.round(rates[terms.get(lotKey(each)) ?? 'short'] * 1_000));
    tax += divideDown(each.gainMinor * rate, 10_000_000n);
  }
  return tax;
}
