import { dateOf, longFromDay } from '../tax/holding-period.ts';
import { BigintColumn, IntColumn } from './columns.ts';
import type { Departure, Disposal, Lot, WashMatch } from './lot.ts';
import type { PortfolioEvent, PortfolioTerms } from './portfolio-event.ts';

/** What a new slice begins with. Days are day numbers. */
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
  readonly replaced: IntColumn;
  readonly quantities: BigintColumn;
  readonly bases: BigintColumn;
  readonly washAdded: BigintColumn;
  readonly returned: BigintColumn;
  /** The basis and the shares that order slices by price. */
  readonly unitBases: BigintColumn;
  readonly unitQuantities: BigintColumn;
  /** 1 where the queue for minimal tax counts the slice as long-term. */
  readonly long: IntColumn;
  // Disposals and departures
  readonly sales: PortfolioEvent[] = [];
  readonly soldDays: IntColumn;
  readonly soldSlices: IntColumn;
  readonly soldQuantities: BigintColumn;
  readonly proceeds: BigintColumn;
  readonly soldBases: BigintColumn;
  readonly disallowed: BigintColumn;
  readonly lost: BigintColumn;
  /** The first and the last match of a disposal; -1 for none. */
  readonly firstMatches: IntColumn;
  readonly lastMatches: IntColumn;
  // Matches
  readonly matchPurchases: IntColumn;
  readonly matchQuantities: BigintColumn;
  readonly matchDisallowed: BigintColumn;
  readonly nextMatches: IntColumn;
  /** What the last `take` took from a slice. */
  takenBasis = 0n;
  takenWashAdded = 0n;
  takenReturned = 0n;

  /** `size` is the expected number of events. More rows than that are only slower. */
  constructor(size: number) {
    this.acquiredDays = new IntColumn(size);
    this.slicesOf = new IntColumn(size);
    this.purchases = new IntColumn(size);
    this.slices = new IntColumn(size);
    this.holdingDays = new IntColumn(size);
    this.replaced = new IntColumn(size);
    this.quantities = new BigintColumn(size);
    this.bases = new BigintColumn(size);
    this.washAdded = new BigintColumn(size);
    this.returned = new BigintColumn(size);
    this.unitBases = new BigintColumn(size);
    this.unitQuantities = new BigintColumn(size);
    this.long = new IntColumn(size);
    this.soldDays = new IntColumn(size);
    this.soldSlices = new IntColumn(size);
    this.soldQuantities = new BigintColumn(size);
    this.proceeds = new BigintColumn(size);
    this.soldBases = new BigintColumn(size);
    this.disallowed = new BigintColumn(size);
    this.lost = new BigintColumn(size);
    this.firstMatches = new IntColumn(size);
    this.lastMatches = new IntColumn(size);
    this.matchPurchases = new IntColumn(size);
    this.matchQuantities = new BigintColumn(size);
    this.matchDisallowed = new BigintColumn(size);
    this.nextMatches = new IntColumn(size);
  }

  addPurchase(event: PortfolioEvent, terms: PortfolioTerms, acquiredDay: number): number {
    this.events.push(event);
    this.terms.push(terms);
    this.slicesOf.push(0);
    return this.acquiredDays.push(acquiredDay);
  }

  addSlice(slice: NewSlice): number {
    this.slices.push(slice.slice);
    this.holdingDays.push(slice.holdingDay);
    this.replaced.push(slice.isReplacement ? 1 : 0);
    this.quantities.push(slice.quantity);
    this.bases.push(slice.basis);
    this.washAdded.push(slice.washAdded);
    this.returned.push(slice.returned);
    this.unitBases.push(slice.basis);
    this.unitQuantities.push(slice.quantity);
    this.long.push(0);
    return this.purchases.push(slice.purchase);
  }

  addDisposal(sale: PortfolioEvent, day: number, row: { slice: number; quantity: bigint }): number {
    this.sales.push(sale);
    this.soldDays.push(day);
    this.soldSlices.push(row.slice);
    this.disallowed.push(0n);
    this.lost.push(0n);
    this.firstMatches.push(-1);
    this.lastMatches.push(-1);
    return this.soldQuantities.push(row.quantity);
  }

  /** Disallows a part of the loss of a disposal. */
  addMatch(disposal: number, purchase: number, quantity: bigint, disallowed: bigint): void {
    const match = this.matchPurchases.push(purchase);
    this.matchQuantities.push(quantity);
    this.matchDisallowed.push(disallowed);
    this.nextMatches.push(-1);
    const last = this.lastMatches.values[disposal]!;
    if (last < 0) this.firstMatches.values[disposal] = match;
    else this.nextMatches.values[last] = match;
    this.lastMatches.values[disposal] = match;
    this.disallowed.values[disposal]! += disallowed;
    if (this.terms[purchase]!.accountKind === 'tax_exempt') this.lost.values[disposal]! += disallowed;
  }

  /** Takes shares out of a slice. Parts are rounded down; the rest stays, and the last shares take all of it. */
  take(slice: number, quantity: bigint): void {
    const held = this.quantities.values[slice]!;
    const basis = this.bases.values[slice]!;
    const washAdded = this.washAdded.values[slice]!;
    const returned = this.returned.values[slice]!;
    const isWhole = quantity === held;
    this.takenBasis = isWhole ? basis : (basis * quantity) / held;
    this.takenWashAdded = isWhole || washAdded === 0n ? washAdded : (washAdded * quantity) / held;
    this.takenReturned = isWhole || returned === 0n ? returned : (returned * quantity) / held;
    this.quantities.values[slice] = held - quantity;
    this.bases.values[slice] = basis - this.takenBasis;
    if (washAdded !== 0n) this.washAdded.values[slice] = washAdded - this.takenWashAdded;
    if (returned !== 0n) this.returned.values[slice] = returned - this.takenReturned;
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
    const washAddedMinor = this.washAdded.values[slice]!;
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
      costMinor: basisMinor - washAddedMinor + this.returned.values[slice]!,
      basisMinor,
      washAddedMinor,
      isReplacement: this.replaced.values[slice] === 1,
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
      term: longFromDay(holdingDay) <= this.soldDays.values[row]! ? 'long' : 'short',
      quantity: this.soldQuantities.values[row]!,
      proceedsMinor,
      basisMinor,
      gainMinor: proceedsMinor - basisMinor,
      disallowedMinor: this.disallowed.values[row]!,
      lostMinor: this.lost.values[row]!,
      matches: this.matchesOf(row),
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
    for (let at = this.firstMatches.values[row]!; at >= 0; at = this.nextMatches.values[at]!) {
      const purchase = this.matchPurchases.values[at]!;
      matches.push({
        portfolio: this.terms[purchase]!.portfolio,
        lot: this.nameOf(purchase),
        quantity: this.matchQuantities.values[at]!,
        disallowedMinor: this.matchDisallowed.values[at]!,
        isLost: this.terms[purchase]!.accountKind === 'tax_exempt',
      });
    }
    return matches;
  }
}
