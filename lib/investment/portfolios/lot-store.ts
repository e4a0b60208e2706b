import { BigintColumn, IntColumn } from './columns.ts';
import { EFFECTS, type EventTable } from './event-table.ts';
import type { PortfolioEvent, PortfolioTerms } from './portfolio-event.ts';

/** The members of a new slice that replaces sold shares. `number` is its number in the purchase. */
export type ReplacementSlice = {
  purchase: number;
  number: number;
  holdingDay: number;
  quantity: bigint;
  basis: bigint;
  washAdded: bigint;
  returned: bigint;
};

/** The initial size of columns, as a multiple of the number of purchases or sales. Columns grow as needed. */
const ROWS_OF_EVENTS = 1.1;

/**
 * Stores the slices, disposals and matches of a derivation in columns, so that a million events create few
 * objects. A **slice** is identified by its row. Its purchase, number, holding period and `isReplacement`
 * never change, but its shares and amounts do.
 */
export class LotStore {
  readonly table: EventTable;
  // Columns of purchases
  /** The row of the event in the table. */
  readonly events: IntColumn;
  readonly acquiredDays: IntColumn;
  readonly slicesOf: IntColumn;
  // Columns of slices
  readonly purchases: IntColumn;
  readonly slices: IntColumn;
  readonly holdingDays: IntColumn;
  /** 0 for a slice that is not a replacement. Otherwise 1 plus the index of the slice in `washAdded`. */
  readonly replaced: IntColumn;
  readonly quantities: BigintColumn;
  readonly bases: BigintColumn;
  readonly washAdded = new BigintColumn(0);
  /** Returned capital by slice. Only slices with returned capital have an entry. */
  readonly returned = new Map<number, bigint>();
  /** Whether a relief method orders slices by price. The three columns below are empty otherwise. */
  readonly isPriced: boolean;
  readonly unitBases: BigintColumn;
  readonly unitQuantities: BigintColumn;
  /** 1 if the queue for the lowest tax has moved the slice to the long-term heap. */
  readonly long: IntColumn;
  // Columns of disposals
  /** The row of the sale in the table. */
  readonly sales: IntColumn;
  readonly soldSlices: IntColumn;
  readonly soldQuantities: BigintColumn;
  readonly proceeds: BigintColumn;
  readonly soldBases: BigintColumn;
  /** The index of the last match of a disposal; -1 if it has no match. */
  readonly lastMatches: IntColumn;
  // Columns of matches
  readonly matchPurchases = new IntColumn(0);
  readonly matchQuantities = new BigintColumn(0);
  readonly matchDisallowed = new BigintColumn(0);
  /** The index of the previous match of the same disposal; -1 if there is none. */
  readonly matchesBefore = new IntColumn(0);
  /** The amounts that the last call of `take` took from a slice. */
  takenBasis = 0n;
  takenWashAdded = 0n;
  takenReturned = 0n;

  constructor(table: EventTable, { isPriced }: { isPriced: boolean }) {
    const purchases = countOf(table.effects, EFFECTS.acquire);
    const slices = Math.ceil(purchases * ROWS_OF_EVENTS);
    const disposals = Math.ceil(countOf(table.effects, EFFECTS.sell) * ROWS_OF_EVENTS);
    const priced = isPriced ? slices : 0;
    this.table = table;
    this.events = new IntColumn(purchases);
    this.acquiredDays = new IntColumn(purchases);
    this.slicesOf = new IntColumn(purchases);
    this.purchases = new IntColumn(slices);
    this.slices = new IntColumn(slices);
    this.holdingDays = new IntColumn(slices);
    this.replaced = new IntColumn(slices);
    this.quantities = new BigintColumn(slices);
    this.bases = new BigintColumn(slices);
    this.isPriced = isPriced;
    this.unitBases = new BigintColumn(priced);
    this.unitQuantities = new BigintColumn(priced);
    this.long = new IntColumn(priced);
    this.sales = new IntColumn(disposals);
    this.soldSlices = new IntColumn(disposals);
    this.soldQuantities = new BigintColumn(disposals);
    this.proceeds = new BigintColumn(disposals);
    this.soldBases = new BigintColumn(disposals);
    this.lastMatches = new IntColumn(disposals);
  }

  /** Adds the purchase of a row of the table, and returns its slice. */
  addPurchase(row: number): number {
    const { table } = this;
    const day = table.acquiredDays.get(row) ?? table.days[row]!;
    this.slicesOf.push(0);
    this.acquiredDays.push(day);
    this.slices.push(0);
    this.holdingDays.push(day);
    this.replaced.push(0);
    this.pushAmounts(table.quantities[row]!, table.amounts[row]!);
    return this.purchases.push(this.events.push(row));
  }

  addReplacement(added: ReplacementSlice): number {
    this.slices.push(added.number);
    this.holdingDays.push(added.holdingDay);
    this.replaced.push(1 + this.washAdded.push(added.washAdded));
    this.pushAmounts(added.quantity, added.basis);
    const row = this.purchases.push(added.purchase);
    if (added.returned !== 0n) this.returned.set(row, added.returned);
    return row;
  }

  /** Adds the shares and the basis that a sale takes from a slice. The proceeds are added later. */
  addDisposal(sale: number, slice: number, quantity: bigint, basis: bigint): number {
    this.sales.push(sale);
    this.soldSlices.push(slice);
    this.lastMatches.push(-1);
    this.soldBases.push(basis);
    return this.soldQuantities.push(quantity);
  }

  /** Records a match: the part of a disposal's loss that is disallowed because of a purchase. */
  addMatch(disposal: number, purchase: number, quantity: bigint, disallowed: bigint): void {
    this.matchQuantities.push(quantity);
    this.matchDisallowed.push(disallowed);
    this.matchesBefore.push(this.lastMatches.values[disposal]!);
    this.lastMatches.values[disposal] = this.matchPurchases.push(purchase);
  }

  /**
   * Takes shares out of a slice, with their parts of the amounts. Parts are rounded down. The last shares of
   * a slice take the remaining amounts.
   */
  take(slice: number, quantity: bigint): void {
    const held = this.quantities.values[slice]!;
    const basis = this.bases.values[slice]!;
    const isWhole = quantity === held;
    this.takenBasis = isWhole ? basis : (basis * quantity) / held;
    this.quantities.values[slice] = held - quantity;
    this.bases.values[slice] = basis - this.takenBasis;
    this.takenWashAdded = 0n;
    this.takenReturned = 0n;
    const replaced = this.replaced.values[slice]!;
    if (replaced > 0) {
      const added = this.washAdded.values[replaced - 1]!;
      this.takenWashAdded = isWhole ? added : (added * quantity) / held;
      this.washAdded.values[replaced - 1] = added - this.takenWashAdded;
    }
    if (this.returned.size > 0) {
      const returned = this.returned.get(slice) ?? 0n;
      this.takenReturned = isWhole ? returned : (returned * quantity) / held;
      this.returned.set(slice, returned - this.takenReturned);
    }
  }

  /** Returns the event of a purchase. */
  eventOf(purchase: number): PortfolioEvent {
    return this.eventAt(this.events.values[purchase]!);
  }

  /** Returns the event of a row of the table. */
  eventAt(row: number): PortfolioEvent {
    return this.table.timeline.events[this.table.places[row]!]!;
  }

  /** Returns the terms of the portfolio that made a purchase. */
  termsOf(purchase: number): PortfolioTerms {
    return this.table.terms[this.table.portfolioOf[this.events.values[purchase]!]!]!;
  }

  nameOf(purchase: number): string {
    const { lot, reference } = this.eventOf(purchase);
    return lot ?? reference;
  }

  private pushAmounts(quantity: bigint, basis: bigint): void {
    this.quantities.push(quantity);
    this.bases.push(basis);
    if (!this.isPriced) return;
    this.unitBases.push(basis);
    this.unitQuantities.push(quantity);
    this.long.push(0);
  }
}

function countOf(values: Uint8Array, wanted: number): number {
  let count = 0;
  for (let at = 0; at < values.length; at += 1) if (values[at] === wanted) count += 1;
  return count;
}
