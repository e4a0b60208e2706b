import { divideHalfEven, type Fraction } from '#lib/core/decimal.ts';
import type { WashWindow } from '../tax/wash-window.ts';
import type { LotQueue, SaleTerms } from './lot-relief.ts';
import type { LotStore, NewSlice } from './lot-store.ts';
import type { PortfolioTerms } from './portfolio-event.ts';

/** Receives what a sale or a transfer takes from a slice. */
export type Taker = (slice: number, quantity: bigint, basis: bigint) => void;

/** The largest sum that a column of 64-bit integers holds with room to spare. */
export const SHARES_MAX = 1n << 62n;

/** The lots of one symbol in one portfolio, in the order in which they were formed. */
export class LotBook {
  readonly terms: PortfolioTerms;
  readonly currency: string;
  /** Undefined where no rule defers losses. */
  readonly wash: WashWindow | undefined;
  /** All shares held, times 10^8. */
  held = 0n;
  private readonly store: LotStore;
  private readonly queue: LotQueue;
  private slices: number[] = [];
  /** Kept from the first use of a name on. */
  private byName: Map<string, number[]> | undefined;
  private gone = 0;

  constructor(
    { terms, currency }: { terms: PortfolioTerms; currency: string },
    { store, queue, wash }: { store: LotStore; queue: LotQueue; wash: WashWindow | undefined },
  ) {
    this.terms = terms;
    this.currency = currency;
    this.store = store;
    this.queue = queue;
    this.wash = wash;
  }

  /** Throws a `RangeError` above 2^62 shares times 10^8. */
  add(slice: NewSlice): number {
    this.held += slice.quantity;
    if (this.held > SHARES_MAX) throw new RangeError('a position has more than 2^62 units of 10^-8 shares');
    const row = this.store.addSlice(slice);
    this.slices.push(row);
    this.queue.push(row);
    if (this.byName) this.addName(this.byName, row);
    return row;
  }

  /** The open slices in the order in which they were formed. */
  open(): readonly number[] {
    const { values } = this.store.quantities;
    this.slices = this.slices.filter((slice) => values[slice] !== 0n);
    this.gone = 0;
    return this.slices;
  }

  /** The open slices of a named lot; none if the portfolio holds no such lot of the symbol. */
  named(name: string): number[] {
    const { values } = this.store.quantities;
    return (
      this.names()
        .get(name)
        ?.filter((slice) => values[slice] !== 0n) ?? []
    );
  }

  /** Whether a lot has this name. A name that the event does not state is a reference, which is unique by itself. */
  hasNamed(name: string, isStated: boolean): boolean {
    return isStated ? this.names().has(name) : (this.byName?.has(name) ?? false);
  }

  /** Takes shares in the order of the relief method. There are enough shares. */
  take(sale: SaleTerms, taker: Taker): void {
    let left = sale.quantity;
    while (left > 0n) left -= this.takeFrom(this.queue.next(sale), left, taker);
  }

  /** Takes shares of these slices, in this order. They hold enough shares. */
  takeNamed(slices: readonly number[], quantity: bigint, taker: Taker): void {
    let left = quantity;
    for (const slice of slices) if (left > 0n) left -= this.takeFrom(slice, left, taker);
  }

  /** Moves shares to a new slice with more basis and another holding period: they replaced others. */
  replace(
    slice: number,
    quantity: bigint,
    { addedBasis, holdingDay }: { addedBasis: bigint; holdingDay: number },
  ): void {
    const { store } = this;
    store.take(slice, quantity);
    this.held -= quantity;
    const purchase = store.purchases.values[slice]!;
    store.slicesOf.values[purchase]! += 1;
    this.add({
      purchase,
      slice: store.slicesOf.values[purchase]!,
      holdingDay,
      isReplacement: true,
      quantity,
      basis: store.takenBasis + addedBasis,
      washAdded: store.takenWashAdded + addedBasis,
      returned: store.takenReturned,
    });
    if (store.quantities.values[slice] === 0n) this.forget();
  }

  /** Converts the quantities of all lots after a split. A quantity is at least 10^-8 of a share. The basis of a lot does not change. */
  split({ numerator, denominator }: Fraction): void {
    const { values } = this.store.quantities;
    const quantities = this.open().map((slice) => {
      const quantity = divideHalfEven(values[slice]! * numerator, denominator);
      return quantity > 0n ? quantity : 1n;
    });
    this.held = quantities.reduce((sum, quantity) => sum + quantity, 0n);
    if (this.held > SHARES_MAX) throw new RangeError('a position has more than 2^62 units of 10^-8 shares');
    this.slices.forEach((slice, at) => (values[slice] = quantities[at]!));
    this.reorder();
  }

  /** Orders the lots again after their basis or quantity changed. */
  reorder(): void {
    const { bases, quantities, unitBases, unitQuantities, isPriced } = this.store;
    for (const slice of isPriced ? this.open() : []) {
      unitBases.values[slice] = bases.values[slice]!;
      unitQuantities.values[slice] = quantities.values[slice]!;
    }
    this.queue.rebuild(this.open());
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

  /** Drops empty slices once they are the most. */
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
