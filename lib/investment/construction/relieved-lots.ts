import { amountMinor } from '#lib/core/decimal.ts';
import { minorDigits } from '#lib/core/money.ts';
import type { Lot } from '../portfolios/lot.ts';
import type { LotRelief } from '../portfolios/portfolio-event.ts';
import type { ConstructionLot } from './construction-input.ts';
import { byTax } from './sold-lots.ts';

/** The default tax rates, in basis points, by which `min_tax` orders lots. */
const MIN_TAX_RATES = { short: 3700, long: 2000 };

/**
 * Returns the open lots of a symbol in the order in which the portfolio sells them. `lots` must be in the order of
 * purchase. `fifo` and `specific` keep this order, and `lifo` reverses it. `hifo` and `lofo` order the lots by basis
 * per share. `min_tax` orders the lots by tax per share, or keeps the order if there is no price.
 */
export function relievedLots(
  lots: readonly Lot[],
  {
    relief,
    asOf,
    price,
    currency,
  }: { relief: LotRelief; asOf: string; price: bigint | null; currency: string },
): ConstructionLot[] {
  const open = lots.map(({ lot, slice, quantity, basisMinor, longFrom }): ConstructionLot => ({
    lot,
    slice,
    quantity,
    basisMinor,
    term: asOf >= longFrom ? 'long' : 'short',
  }));
  switch (relief) {
    case 'fifo':
    case 'specific':
      return open;
    case 'lifo':
      return open.toReversed();
    case 'lofo':
      return open.toSorted(compareBasis);
    case 'hifo':
      return open.toSorted((a, b) => compareBasis(b, a));
    case 'min_tax': {
      if (price === null) return open;
      const digits = minorDigits(currency)!;
      const valueOf = (quantity: bigint) => Number(amountMinor(quantity, price, digits));
      return byTax(open, { rates: MIN_TAX_RATES, valueOf }).map(({ lot }) => lot);
    }
  }
}

/** Compares the basis per share of two lots, exactly. Quantities must be above 0. */
function compareBasis(a: ConstructionLot, b: ConstructionLot): number {
  const difference = a.basisMinor * b.quantity - b.basisMinor * a.quantity;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
