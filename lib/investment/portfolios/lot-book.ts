import { divideHalfEven, type Fraction } from '#lib/core/decimal.ts';
import type { WashWindow } from '../tax/wash-window.ts';
import type { LotQueue, SaleTerms } from './lot-relief.ts';
import type { LotStore } from './lot-store.ts';
import type { PortfolioTerms } from './portfolio-event.ts';

/** Receives the shares and the basis that a sale or a transfer takes from a slice. */
export type Taker = (slice: number, quantity: bigint, basis: bigint) => void;

/**
 * Maximum number of shares times 10^8 in a position. The limit is below the range of 64-bit integers, so that
 * sums do not overflow.
 */
export const SHARES_MAX = 1n << 62n;

/** The lots of one symbol in one portfolio, in the order in which they were formed. */
export class LotBook {
  readonly terms: PortfolioTerms;
  /** The number of the currency. */
  readonly currency: number;
  /** Undefined if no rule of the tax regime defers losses. */
  readonly wash: WashWindow | undefined;
  /** All shares held, times 10^8. */
  held = 0n;
  private readonly store: LotStore;
  private readonly queue: LotQueue;
  private slices: number[] = [];
  /** Built at the first search for a name, and updated from then on. */
  private byName: Map<string, number[]> | undefined;
  private gone = 0;

  constructor(
    { terms, currency }: { terms: PortfolioTerms; currency: number },
    { store, queue, wash }: { store: LotStore; queue: LotQueue; wash: WashWindow | undefined },
  ) {
    this.terms = terms;
    this.currency = currency;
    this.store = store;
    this.queue = queue;
    this.wash = wash;
  }

  /** Whether the position can hold this many more shares. `quantity` is shares times 10^8. */
  hasRoomFor(quantity: bigint): boolean {
    return this.held + quantity <= SHARES_MAX;
  }

  /** Adds the purchase of a row of the table, and returns its slice. The position must have room for its shares. */
  acquire(row: number): number {
    this.held += this.store.table.quantities[row]!;
    return this.add(this.store.addPurchase(row));
  }

  /** Returns the open slices in the order in which they were formed. */
  open(): readonly number[] {
    const { values } = this.store.quantities;
    this.slices = this.slices.filter((slice) => values[slice] !== 0n);
    this.gone = 0;
    return this.slices;
  }

  /**
   * Returns the open slices of a named lot. Returns an empty list if the portfolio holds no lot of the symbol
   * with this name.
   */
  named(name: string): number[] {
    const { values } = this.store.quantities;
    return (
      this.names()
        .get(name)
        ?.filter((slice) => values[slice] !== 0n) ?? []
    );
  }

  /**
   * Whether another lot already has the name of the lot that an event adds. If the event states no name, the lot has
   * the reference of the event as its name. References are unique.
   */
  hasLotOf(row: number): boolean {
    const { table } = this.store;
    if (table.named[row] === 0 && !this.byName) return false;
    const { lot, reference } = this.store.eventAt(row);
    return this.names().has(lot ?? reference);
  }

  /** Takes shares in the order of the relief method. The position must have enough shares. */
  take(sale: SaleTerms, taker: Taker): void {
    let left = sale.quantity;
    while (left > 0n) left -= this.takeFrom(this.queue.next(sale), left, taker);
  }

  /** Takes shares from the given slices, in this order. The slices must have enough shares. */
  takeNamed(slices: readonly number[], quantity: bigint, taker: Taker): void {
    let left = quantity;
    for (const slice of slices) if (left > 0n) left -= this.takeFrom(slice, left, taker);
  }

  /**
   * Moves shares to a new slice with a larger basis and another holding period, because these shares replace
   * shares that were sold at a loss.
   */
  replace(
    slice: number,
    quantity: bigint,
    { addedBasis, holdingDay }: { addedBasis: bigint; holdingDay: number },
  ): void {
    const { store } = this;
    store.take(slice, quantity);
    const purchase = store.purchases.values[slice]!;
    store.slicesOf.values[purchase]! += 1;
    this.add(
      store.addReplacement({
        purchase,
        number: store.slicesOf.values[purchase]!,
        holdingDay,
        quantity,
        basis: store.takenBasis + addedBasis,
        washAdded: store.takenWashAdded + addedBasis,
        returned: store.takenReturned,
      }),
    );
    if (store.quantities.values[slice] === 0n) this.forget();
  }

  /**
   * Converts the quantities of all lots after a split. A quantity is at least 10^-8 of a share. The basis of a lot
   * does not change. Returns false and changes nothing if the position would exceed its limit.
   */
  split({ numerator, denominator }: Fraction): boolean {
    const { values } = this.store.quantities;
    const quantities = this.open().map((slice) => {
      const quantity = divideHalfEven(values[slice]! * numerator, denominator);
      return quantity > 0n ? quantity : 1n;
    });
    const held = quantities.reduce((sum, quantity) => sum + quantity, 0n);
    if (held > SHARES_MAX) return false;
    this.held = held;
    this.slices.forEach((slice, at) => (values[slice] = quantities[at]!));
    this.reorder();
    return true;
  }

  /** Sorts the lots again after their basis or quantity has changed. */
  reorder(): void {
    const { bases, quantities, unitBases, unitQuantities, isPriced } = this.store;
    for (const slice of isPriced ? this.open() : []) {
      unitBases.values[slice] = bases.values[slice]!;
      unitQuantities.values[slice] = quantities.values[slice]!;
    }
    this.queue.rebuild(this.open());
  }

  private add(slice: number): number {
    this.slices.push(slice);
    this.queue.push(slice);
    if (this.byName) this.addName(this.byName, slice);
    return slice;
  }

  private takeFrom(slice: number, most: bigint, taker: Taker): bigint {
    const { store } = this;
    const held = store.quantities.values[slice]!;
    const quantity = most < held ? most : held;
    store.take(slice, quantity);
    this.held -= quantity;
    if (quantity === held) this.forget();
    taker(slice, quantity, store.takenBasis);
    return quantity;
  }

  /** Removes the empty slices once more than half of the slices are empty. */
  private forget(): void {
    this.gone += 1;
    if (this.gone > 64 && 2 * this.gone > this.slices.length) this.open();
  }

  private names(): Map<string, number[]> {
    if (!this.byName) {
      this.byName = new Map();
      for (const slice of this.slices) this.addName(this.byName, slice);
    }
    return this.byName;
  }

  private addName(names: Map<string, number[]>, slice: number): void {
    const name = this.store.nameOf(this.store.purchases.values[slice]!);
    const slices = names.get(name);
    if (slices) slices.push(slice);
    else names.set(name, [slice]);
  }
}
