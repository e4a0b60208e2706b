import { divideHalfEven, type Fraction } from '#lib/core/decimal.ts';
import type { WashWindow } from '../tax/wash-window.ts';
import { lotNameOf, takeShares, type OpenLot } from './lot.ts';
import type { LotQueue, SaleTerms } from './lot-relief.ts';
import type { PortfolioTerms } from './portfolio-event.ts';

/** A part of a slice that a sale or a transfer took. */
export type TakenSlice = { from: OpenLot; quantity: bigint; basis: bigint };

/** The lots of one symbol in one portfolio, in the order in which they were formed. */
export class LotBook {
  readonly terms: PortfolioTerms;
  readonly symbol: string;
  readonly currency: string;
  /** Undefined where no rule defers losses. */
  readonly wash: WashWindow | undefined;
  /** All shares held, times 10^8. */
  held = 0n;
  private readonly queue: LotQueue;
  private lots: OpenLot[] = [];
  /** Kept from the first use of a name on. */
  private byName: Map<string, OpenLot[]> | undefined;
  private gone = 0;

  constructor(
    { terms, symbol, currency }: { terms: PortfolioTerms; symbol: string; currency: string },
    queue: LotQueue,
    wash: WashWindow | undefined,
  ) {
    this.terms = terms;
    this.symbol = symbol;
    this.currency = currency;
    this.queue = queue;
    this.wash = wash;
  }

  add(lot: OpenLot): void {
    this.held += lot.quantity;
    this.lots.push(lot);
    this.queue.push(lot);
    if (this.byName) addTo(this.byName, lot);
  }

  /** The open slices in the order in which they were formed. */
  open(): OpenLot[] {
    this.lots = this.lots.filter(({ quantity }) => quantity > 0n);
    this.gone = 0;
    return this.lots;
  }

  /** The open slices of a named lot; none if the portfolio holds no such lot of the symbol. */
  named(name: string): OpenLot[] {
    return (
      this.names()
        .get(name)
        ?.filter(({ quantity }) => quantity > 0n) ?? []
    );
  }

  /** Whether a lot has this name. A name that the event does not state is a reference, which is unique by itself. */
  hasNamed(name: string, isStated: boolean): boolean {
    return isStated ? this.names().has(name) : (this.byName?.has(name) ?? false);
  }

  /** Takes shares in the order of the relief method. There are enough shares. */
  take(sale: SaleTerms): TakenSlice[] {
    const taken: TakenSlice[] = [];
    let left = sale.quantity;
    while (left > 0n) {
      const lot = this.queue.next(sale)!;
      left -= this.takeFrom(lot, left, taken);
    }
    return taken;
  }

  /** Takes shares of these slices, in this order. They hold enough shares. */
  takeNamed(lots: readonly OpenLot[], quantity: bigint): TakenSlice[] {
    const taken: TakenSlice[] = [];
    let left = quantity;
    for (const lot of lots) if (left > 0n) left -= this.takeFrom(lot, left, taken);
    return taken;
  }

  /** Moves shares of a slice to a new slice, which `change` makes. */
  carve(lot: OpenLot, quantity: bigint, change: (taken: ReturnType<typeof takeShares>) => OpenLot): void {
    const slice = change(takeShares(lot, quantity));
    this.held -= quantity;
    this.add(slice);
  }

  /** Restates all lots in shares after a split. A lot keeps at least 10^-8 of a share, and its basis. */
  split({ numerator, denominator }: Fraction): void {
    this.held = 0n;
    for (const lot of this.open()) {
      const quantity = divideHalfEven(lot.quantity * numerator, denominator);
      lot.quantity = quantity > 0n ? quantity : 1n;
      this.held += lot.quantity;
    }
    this.reorder();
  }

  /** Orders the lots anew after their basis or quantity changed. */
  reorder(): void {
    const lots = this.open();
    for (const lot of lots) {
      lot.unitBasis = lot.basis;
      lot.unitQuantity = lot.quantity;
    }
    this.queue.rebuild(lots);
  }

  private takeFrom(lot: OpenLot, most: bigint, into: TakenSlice[]): bigint {
    const quantity = most < lot.quantity ? most : lot.quantity;
    const { basis } = takeShares(lot, quantity);
    this.held -= quantity;
    into.push({ from: lot, quantity, basis });
    if (lot.quantity === 0n) this.forget();
    return quantity;
  }

  /** Drops empty lots once they are the most. */
  private forget(): void {
    this.gone += 1;
    if (this.gone > 64 && 2 * this.gone > this.lots.length) this.open();
  }

  private names(): Map<string, OpenLot[]> {
    if (!this.byName) {
      this.byName = new Map();
      for (const lot of this.lots) addTo(this.byName, lot);
    }
    return this.byName;
  }
}

function addTo(names: Map<string, OpenLot[]>, lot: OpenLot): void {
  const name = lotNameOf(lot.purchase);
  const lots = names.get(name);
  if (lots) lots.push(lot);
  else names.set(name, [lot]);
}
