import { longFromDay } from '../tax/holding-period.ts';
import { LotHeap, type Precedes } from './lot-heap.ts';
import type { LotStore } from './lot-store.ts';
import type { LotRelief } from './portfolio-event.ts';

/** The members of a sale on which the choice of lots depends. */
export type SaleTerms = { day: number; proceeds: bigint; quantity: bigint };

/** The slices of one symbol in the order in which a sale takes them. */
export type LotQueue = {
  push(slice: number): void;
  /** Returns the slice that the sale takes next; -1 if no shares are left. */
  next(sale: SaleTerms): number;
  /** Sorts the given slices again, after their basis or quantity has changed. */
  rebuild(slices: readonly number[]): void;
};

/** Tax rates in basis points, for `min_tax`. */
export type GainRates = { shortBps: number; longBps: number };

/** The relief methods that order slices by basis per share. */
export const pricedReliefs: ReadonlySet<LotRelief> = new Set(['hifo', 'lofo', 'min_tax']);

/** Creates the queues of a ledger, by relief method. Of equal lots, the earlier purchase is sold first. */
export class LotQueues {
  private readonly store: LotStore;
  private readonly rates: GainRates;
  private readonly isEmpty: (slice: number) => boolean;
  private readonly isEarlier: Precedes;
  private readonly isLater: Precedes;

  constructor(store: LotStore, rates: GainRates) {
    const { quantities, purchases, slices, acquiredDays } = store;
    this.store = store;
    this.rates = rates;
    this.isLater = (a, b) => this.isEarlier(b, a);
    this.isEmpty = (slice) => quantities.values[slice] === 0n;
    this.isEarlier = (a, b) => {
      const one = purchases.values[a]!;
      const other = purchases.values[b]!;
      if (one === other) return slices.values[a]! < slices.values[b]!;
      const days = acquiredDays.values[one]! - acquiredDays.values[other]!;
      return days === 0 ? one < other : days < 0;
    };
  }

  queueOf(relief: LotRelief): LotQueue {
    const { isEarlier } = this;
    switch (relief) {
      case 'fifo':
      case 'specific':
        return this.inOrder(isEarlier);
      case 'lifo':
        return this.inOrder(this.isLater);
      case 'hifo':
        return this.inOrder(this.byPrice(-1));
      case 'lofo':
        return this.inOrder(this.byPrice(1));
      case 'min_tax':
        return this.byTax();
    }
  }

  private inOrder(precedes: Precedes): LotQueue {
    return new LotHeap(precedes, this.isEmpty);
  }

  /** Returns the order by basis per share: ascending if `direction` is 1, descending if it is -1. */
  private byPrice(direction: 1 | -1): Precedes {
    const { isEarlier } = this;
    return (a, b) => {
      const difference = this.compareUnits(a, b);
      return difference === 0 ? isEarlier(a, b) : difference * direction < 0;
    };
  }

  /**
   * Returns the queue for the lowest tax per share: (price - basis) x rate of the term. Within a term, the
   * slice with the highest basis has the lowest tax. Two heaps therefore suffice, one for each term. A slice
   * moves to the other heap when it becomes long-term.
   */
  private byTax(): LotQueue {
    const { long, holdingDays } = this.store;
    const { shortBps, longBps } = this.rates;
    const isShortGone = (slice: number) => this.isEmpty(slice) || long.values[slice] === 1;
    const longs = new LotHeap(this.byPrice(-1), this.isEmpty);
    const shorts = new LotHeap(this.byPrice(-1), isShortGone);
    const turning = new LotHeap((a, b) => holdingDays.values[a]! < holdingDays.values[b]!, isShortGone);
    const turn = (day: number) => {
      for (
        let at = turning.next();
        at >= 0 && longFromDay(holdingDays.values[at]!) <= day;
        at = turning.next()
      ) {
        long.values[at] = 1;
        longs.push(at);
      }
    };
    return {
      push(slice) {
        shorts.push(slice);
        turning.push(slice);
      },
      next: (sale) => {
        turn(sale.day);
        const [a, b] = [shorts.next(), longs.next()];
        if (a < 0 || b < 0) return Math.max(a, b);
        const { unitQuantities } = this.store;
        const difference =
          this.taxOf(a, sale) * unitQuantities.values[b]! * BigInt(shortBps) -
          this.taxOf(b, sale) * unitQuantities.values[a]! * BigInt(longBps);
        if (difference === 0n) return this.isEarlier(a, b) ? a : b;
        return difference < 0n ? a : b;
      },
      rebuild(slices) {
        shorts.rebuild(slices);
        turning.rebuild(slices);
        longs.rebuild(slices.filter((slice) => long.values[slice] === 1));
      },
    };
  }

  /**
   * Returns the gain per share, multiplied by the quantities of the sale and of the slice so that it is an
   * integer.
   */
  private taxOf(slice: number, { proceeds, quantity }: SaleTerms): bigint {
    const { unitBases, unitQuantities } = this.store;
    return proceeds * unitQuantities.values[slice]! - unitBases.values[slice]! * quantity;
  }

  /**
   * Compares the basis per share exactly. Doubles are compared first; integers are compared only if the
   * doubles are too close.
   */
  private compareUnits(a: number, b: number): number {
    const { unitBases, unitQuantities } = this.store;
    const one = Number(unitBases.values[a]) / Number(unitQuantities.values[a]);
    const other = Number(unitBases.values[b]) / Number(unitQuantities.values[b]);
    if (Math.abs(one - other) > UNSURE * (Math.abs(one) + Math.abs(other))) return one - other;
    const exact =
      unitBases.values[a]! * unitQuantities.values[b]! - unitBases.values[b]! * unitQuantities.values[a]!;
    return exact < 0n ? -1 : exact > 0n ? 1 : 0;
  }
}

/** Upper bound of the relative error of the doubles in `compareUnits`: three roundings of 2^-53 each. */
const UNSURE = 1e-14;
