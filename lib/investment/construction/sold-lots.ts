import type { ConstructionLot } from './construction-input.ts';
import { divideFloor } from './fixed-point.ts';

/** Names a slice of a lot within its symbol. */
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
 * Returns the lots in the order of the smallest tax for each share, at a price. Ties keep the order of the lots.
 *
 * Shapes: the tax of a lot is the rate of its term times the proceeds less the basis; a loss has a tax below 0.
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
 * Takes a quantity from lots in their order. The proceeds are shared by quantity, and the basis of a part of a lot is
 * floored; cumulative rounding conserves both.
 *
 * Lots may hold less than the quantity; the rest has no lot and no basis. Quantities are above 0.
 *
 * Example: 3 of lots of 2 and 2 shares, for 300, are sold for 200 and 100.
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
      divideFloor(proceedsMinor * (taken + part), quantity) - divideFloor(proceedsMinor * taken, quantity);
    const basis = divideFloor(basisMinor * part, held);
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

/** Returns the tax on sold lots in minor units, each rounded down, so that a loss is not rounded away. */
export function taxOf(
  sold: readonly SoldLot[],
  { terms, rates }: { terms: ReadonlyMap<string, 'short' | 'long'>; rates: TaxRates },
): bigint {
  let tax = 0n;
  for (const each of sold) {
    const rate = BigInt(Math.round(rates[terms.get(lotKey(each)) ?? 'short'] * 1_000));
    tax += divideFloor(each.gainMinor * rate, 10_000_000n);
  }
  return tax;
}
