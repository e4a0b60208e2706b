import { dateOf, longFromDay } from '../tax/holding-period.ts';
import { BigintColumn, IntColumn } from './columns.ts';
import type { Departure, Disposal, Lot, WashMatch } from './lot.ts';
import type { PortfolioEvent, PortfolioTerms } from './portfolio-event.ts';

/** The members of a new slice. Days are day numbers. */
export type NewSlice = {
  purchase: number;
  slice: number;
  holdingDay: number;
  isReplacement: boolean;
  quantity: bigint;
  basis: bigint;
  washAdded: bigint;
  returned: bigint;
};

/** Purchases, slices and disposals of one event, about. Columns grow beyond. */
const ROWS_OF_EVENTS = 0.6;

/**
 * The slices, disposals and matches of a derivation in columns, so that a million events leave few objects behind. A
 * **slice** is named by its row. Its purchase, number, holding period and `isReplacement` never change; its shares and
 * amounts do.
 */
export class LotStore {
  // Purchases
  readonly events: PortfolioEvent[] = [];
  readonly terms: PortfolioTerms[] = [];
  readonly acquiredDays: IntColumn;
  readonly slicesOf: IntColumn;
  // Slices
  readonly purchases: IntColumn;
  readonly slices: IntColumn;
  readonly holdingDays: IntColumn;
  /** 0, or 1 plus the place of the slice in `washAdded`: the shares replaced others. */
  readonly replaced: IntColumn;
  readonly quantities: BigintColumn;
  readonly bases: BigintColumn;
  readonly washAdded = new BigintColumn(0);
  /** Returned capital by slice; few have any. */
  readonly returned = new Map<number, bigint>();
  /** Whether a relief method orders slices by price. The three columns below are empty otherwise. */
  readonly isPriced: boolean;
  readonly unitBases: BigintColumn;
  readonly unitQuantities: BigintColumn;
  /** 1 where the queue for minimal tax counts the slice as long-term. */
  readonly long: IntColumn;
  // Disposals
  readonly sales: PortfolioEvent[] = [];
  readonly soldSlices: IntColumn;
  readonly soldQuantities: BigintColumn;
  readonly proceeds: BigintColumn;
  readonly soldBases: BigintColumn;
  /** The last match of a disposal; -1 for none. */
  readonly lastMatches: IntColumn;
  // Matches
  readonly matchPurchases = new IntColumn(0);
  readonly matchQuantities = new BigintColumn(0);
  readonly matchDisallowed = new BigintColumn(0);
  /** The match before this one of the same disposal; -1 for none. */
  readonly matchesBefore = new IntColumn(0);
  /** The amounts that the last `take` took from a slice. */
  takenBasis = 0n;
  takenWashAdded = 0n;
  takenReturned = 0n;

  /** `events` is the expected number of events. More rows than that are only slower. */
  constructor({ events, isPriced }: { events: number; isPriced: boolean }) {
    const rows = Math.ceil(events * ROWS_OF_EVENTS);
    const priced = isPriced ? rows : 0;
    this.acquiredDays = new IntColumn(rows);
    this.slicesOf = new IntColumn(rows);
    this.purchases = new IntColumn(rows);
    this.slices = new IntColumn(rows);
    this.holdingDays = new IntColumn(rows);
    this.replaced = new IntColumn(rows);
    this.quantities = new BigintColumn(rows);
    this.bases = new BigintColumn(rows);
    this.isPriced = isPriced;
    this.unitBases = new BigintColumn(priced);
    this.unitQuantities = new BigintColumn(priced);
    this.long = new IntColumn(priced);
    this.soldSlices = new IntColumn(rows);
    this.soldQuantities = new BigintColumn(rows);
    this.proceeds = new BigintColumn(rows);
    this.soldBases = new BigintColumn(rows);
    this.lastMatches = new IntColumn(rows);
  }

  addPurchase(event: PortfolioEvent, terms: PortfolioTerms, acquiredDay: number): number {
    this.events.push(event);
    this.terms.push(terms);
    this.slicesOf.push(0);
    return this.acquiredDays.push(acquiredDay);
  }

  addSlice(slice: NewSlice): number {
    const { quantity, basis, washAdded, returned } = slice;
    this.slices.push(slice.slice);
    this.holdingDays.push(slice.holdingDay);
    this.replaced.push(slice.isReplacement ? 1 + this.washAdded.push(washAdded) : 0);
    this.quantities.push(quantity);
    this.bases.push(basis);
    if (this.isPriced) {
      this.unitBases.push(basis);
      this.unitQuantities.push(quantity);
      this.long.push(0);
    }
    const row = this.purchases.push(slice.purchase);
    if (returned !== 0n) this.returned.set(row, returned);
    return row;
  }

  addDisposal(sale: PortfolioEvent, row: { slice: number; quantity: bigint }): number {
    this.sales.push(sale);
    this.soldSlices.push(row.slice);
    this.lastMatches.push(-1);
    return this.soldQuantities.push(row.quantity);
  }

  /** Disallows a part of the loss of a disposal. */
  addMatch(disposal: number, purchase: number, quantity: bigint, disallowed: bigint): void {
    this.matchQuantities.push(quantity);
    this.matchDisallowed.push(disallowed);
    this.matchesBefore.push(this.lastMatches.values[disposal]!);
    this.lastMatches.values[disposal] = this.matchPurchases.push(purchase);
  }

  /** Takes shares out of a slice. Parts are rounded down; the rest stays, and the last shares take all of it. */
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

  nameOf(purchase: number): string {
    const { lot, reference } = this.events[purchase]!;
    return lot ?? reference;
  }

  lot(slice: number): Lot {
    const purchase = this.purchases.values[slice]!;
    const event = this.events[purchase]!;
    const holdingDay = this.holdingDays.values[slice]!;
    const basisMinor = this.bases.values[slice]!;
    const replaced = this.replaced.values[slice]!;
    const washAddedMinor = replaced > 0 ? this.washAdded.values[replaced - 1]! : 0n;
    return {
      portfolio: event.portfolio,
      reference: event.reference,
      lot: this.nameOf(purchase),
      slice: this.slices.values[slice]!,
      symbol: event.symbol!,
      currency: event.currency,
      acquiredOn: dateOf(this.acquiredDays.values[purchase]!),
      holdingSince: dateOf(holdingDay),
      longFrom: dateOf(longFromDay(holdingDay)),
      quantity: this.quantities.values[slice]!,
      costMinor: basisMinor - washAddedMinor + (this.returned.get(slice) ?? 0n),
      basisMinor,
      washAddedMinor,
      isReplacement: replaced > 0,
      knownAt: event.knownAt,
    };
  }

  disposal(row: number): Disposal {
    const sale = this.sales[row]!;
    const slice = this.soldSlices.values[row]!;
    const purchase = this.purchases.values[slice]!;
    const event = this.events[purchase]!;
    const holdingDay = this.holdingDays.values[slice]!;
    const proceedsMinor = this.proceeds.values[row]!;
    const basisMinor = this.soldBases.values[row]!;
    const matches = this.matchesOf(row);
    const total = (parts: readonly WashMatch[]) =>
      parts.reduce((sum, each) => sum + each.disallowedMinor, 0n);
    return {
      portfolio: sale.portfolio,
      reference: sale.reference,
      lot: this.nameOf(purchase),
      slice: this.slices.values[slice]!,
      symbol: sale.symbol!,
      currency: sale.currency,
      acquiredOn: dateOf(this.acquiredDays.values[purchase]!),
      holdingSince: dateOf(holdingDay),
      soldOn: sale.tradedOn,
      term: dateOf(longFromDay(holdingDay)) <= sale.tradedOn ? 'long' : 'short',
      quantity: this.soldQuantities.values[row]!,
      proceedsMinor,
      basisMinor,
      gainMinor: proceedsMinor - basisMinor,
      disallowedMinor: total(matches),
      lostMinor: total(matches.filter(({ isLost }) => isLost)),
      matches,
      knownAt: event.knownAt > sale.knownAt ? event.knownAt : sale.knownAt,
    };
  }

  departure(event: PortfolioEvent, slice: number, taken: { quantity: bigint; basis: bigint }): Departure {
    const purchase = this.purchases.values[slice]!;
    return {
      portfolio: event.portfolio,
      reference: event.reference,
      lot: this.nameOf(purchase),
      slice: this.slices.values[slice]!,
      symbol: event.symbol!,
      currency: this.events[purchase]!.currency,
      on: event.tradedOn,
      acquiredOn: dateOf(this.acquiredDays.values[purchase]!),
      holdingSince: dateOf(this.holdingDays.values[slice]!),
      quantity: taken.quantity,
      basisMinor: taken.basis,
    };
  }

  private matchesOf(row: number): WashMatch[] {
    const matches: WashMatch[] = [];
    for (let at = this.lastMatches.values[row]!; at >= 0; at = this.matchesBefore.values[at]!) {
      const purchase = this.matchPurchases.values[at]!;
      matches.push({
        portfolio: this.terms[purchase]!.portfolio,
        lot: this.nameOf(purchase),
        quantity: this.matchQuantities.values[at]!,
        disallowedMinor: this.matchDisallowed.values[at]!,
        isLost: this.terms[purchase]!.accountKind === 'tax_exempt',
      });
    }
    return matches.reverse();
  }
}
