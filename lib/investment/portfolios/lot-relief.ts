import { longFromDay } from '../tax/holding-period.ts';
import type { OpenLot } from './lot.ts';
import { LotHeap } from './lot-heap.ts';
import type { LotRelief } from './portfolio-event.ts';

/** A sale as far as the choice of lots depends on it. */
export type SaleTerms = { day: number; proceeds: bigint; quantity: bigint };

/** The lots of one symbol in the order in which a sale takes them. */
export type LotQueue = {
  push(lot: OpenLot): void;
  /** The lot that the sale takes next. Undefined if no shares are left. */
  next(sale: SaleTerms): OpenLot | undefined;
  /** Orders these lots anew, after their basis or quantity changed. */
  rebuild(lots: readonly OpenLot[]): void;
};

/** Tax rates in basis points, for `min_tax`. */
export type GainRates = { shortBps: number; longBps: number };

/** The queue of a relief method. Of equal lots the earlier purchase goes first. */
export function queueOf(relief: LotRelief, rates: GainRates): LotQueue {
  switch (relief) {
    case 'fifo':
    case 'specific':
      return inOrder(isEarlier);
    case 'lifo':
      return inOrder((a, b) => isLater(a, b));
    case 'hifo':
      return inOrder(isDearer);
    case 'lofo':
      return inOrder(isCheaper);
    case 'min_tax':
      return byTax(rates);
  }
}

function inOrder(precedes: (a: OpenLot, b: OpenLot) => boolean): LotQueue {
  const heap = new LotHeap(precedes);
  return {
    push: (lot) => heap.push(lot),
    next: () => heap.top(),
    rebuild: (lots) => heap.rebuild(lots),
  };
}

/**
 * The lowest tax a share goes first: (price - basis) x rate of the term. Within a term that is the highest basis, so
 * two heaps suffice; a lot moves from one to the other when it turns long-term.
 */
function byTax({ shortBps, longBps }: GainRates): LotQueue {
  const long = new LotHeap(isDearer);
  const isShortGone = (lot: OpenLot) => lot.quantity === 0n || lot.isLong;
  const short = new LotHeap(isDearer, isShortGone);
  const turning = new LotHeap((a, b) => a.holdingDay < b.holdingDay, isShortGone);
  const turn = (day: number) => {
    for (let lot = turning.top(); lot && longFromDay(lot.holdingDay) <= day; lot = turning.top()) {
      lot.isLong = true;
      long.push(lot);
    }
  };
  return {
    push(lot) {
      short.push(lot);
      turning.push(lot);
    },
    next(sale) {
      turn(sale.day);
      const [a, b] = [short.top(), long.top()];
      if (!a || !b) return a ?? b;
      const difference =
        taxOf(a, sale) * b.unitQuantity * BigInt(shortBps) -
        taxOf(b, sale) * a.unitQuantity * BigInt(longBps);
      if (difference === 0n) return isEarlier(a, b) ? a : b;
      return difference < 0n ? a : b;
    },
    rebuild(lots) {
      short.rebuild(lots);
      turning.rebuild(lots);
      long.rebuild(lots.filter(({ isLong }) => isLong));
    },
  };
}

/** The gain of a share times the quantities of the sale and of the lot, which makes it an integer. */
function taxOf({ unitBasis, unitQuantity }: OpenLot, { proceeds, quantity }: SaleTerms): bigint {
  return proceeds * unitQuantity - unitBasis * quantity;
}

function isEarlier(a: OpenLot, b: OpenLot): boolean {
  const [one, other] = [a.purchase, b.purchase];
  if (one === other) return a.slice < b.slice;
  if (one.acquiredDay !== other.acquiredDay) return one.acquiredDay < other.acquiredDay;
  return one.number < other.number;
}

function isLater(a: OpenLot, b: OpenLot): boolean {
  return isEarlier(b, a);
}

function isDearer(a: OpenLot, b: OpenLot): boolean {
  const difference = compareUnits(a, b);
  return difference === 0 ? isEarlier(a, b) : difference > 0;
}

function isCheaper(a: OpenLot, b: OpenLot): boolean {
  const difference = compareUnits(a, b);
  return difference === 0 ? isEarlier(a, b) : difference < 0;
}

/** Relative error of the doubles below: three roundings of 2^-53 each. */
const UNSURE = 1e-14;

/** Compares the basis of a share, exactly. Doubles decide where they are far enough apart. */
function compareUnits(a: OpenLot, b: OpenLot): number {
  const one = Number(a.unitBasis) / Number(a.unitQuantity);
  const other = Number(b.unitBasis) / Number(b.unitQuantity);
  if (Math.abs(one - other) > UNSURE * (Math.abs(one) + Math.abs(other))) return one - other;
  const exact = a.unitBasis * b.unitQuantity - b.unitBasis * a.unitQuantity;
  return exact < 0n ? -1 : exact > 0n ? 1 : 0;
}
