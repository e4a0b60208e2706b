import { compareText } from '#lib/core/compare-text.ts';
import { dateOf, longFromDay } from '../tax/holding-period.ts';
import { IntColumn, Rows } from './columns.ts';
import type { Departure, Disposal, Lot, WashMatch } from './lot.ts';
import type { LotStore } from './lot-store.ts';
import { allocateInts } from './memory.ts';

/** The open slices of one position: `count` rows from `first`. */
type OpenLots = { portfolio: number; symbol: number; first: number; count: number };

/**
 * Collects the rows of a derivation and returns the rows in their order. The parts of the derivation may arrive in any
 * order.
 */
export class LotRows {
  private readonly store: LotStore;
  private readonly open: OpenLots[] = [];
  private readonly slices = new IntColumn(0);
  private readonly departed: { place: number; departure: Departure }[] = [];

  constructor(store: LotStore) {
    this.store = store;
  }

  /** Adds the open slices of a position. */
  addLots(slices: readonly number[], position: Pick<OpenLots, 'portfolio' | 'symbol'>): void {
    this.open.push({ ...position, first: this.slices.length, count: slices.length });
    for (const slice of slices) this.slices.push(slice);
  }

  addDeparture(row: number, slice: number, taken: { quantity: bigint; basis: bigint }): void {
    const place = this.store.table.places[row]!;
    this.departed.push({ place, departure: this.departure(row, slice, taken) });
  }

  /** Returns the open lots by portfolio and symbol, then in the order in which they were formed. */
  lots(): Rows<Lot> {
    const { terms, classes } = this.store.table;
    const portfolioRanks = ranksOf(terms.map(({ portfolio }) => portfolio));
    const symbolRanks = ranksOf(classes.symbols);
    const ordered = this.open.toSorted(
      (a, b) =>
        portfolioRanks[a.portfolio]! - portfolioRanks[b.portfolio]! ||
        symbolRanks[a.symbol]! - symbolRanks[b.symbol]!,
    );
    const slices = allocateInts(this.slices.length);
    let end = 0;
    for (const { first, count } of ordered) {
      slices.set(this.slices.values.subarray(first, first + count), end);
      end += count;
    }
    return new Rows(end, (row) => this.lot(slices[row]!));
  }

  /** Returns the disposals in the order of the sales. */
  disposals(): Rows<Disposal> {
    const { sales, table } = this.store;
    const { order, events } = table.timeline;
    const next = allocateInts(events.length);
    for (let row = 0; row < sales.length; row += 1) next[table.places[sales.values[row]!]!]! += 1;
    let before = 0;
    for (let at = 0; at < order.places.length; at += 1) {
      const place = order.places[at]!;
      const count = next[place]!;
      next[place] = before;
      before += count;
    }
    const rows = allocateInts(sales.length);
    for (let row = 0; row < rows.length; row += 1) {
      const place = table.places[sales.values[row]!]!;
      rows[next[place]!] = row;
      next[place]! += 1;
    }
    return new Rows(rows.length, (at) => this.disposal(rows[at]!));
  }

  /** Returns the departures in the order of the transfers. */
  departures(): Departure[] {
    if (this.departed.length === 0) return [];
    const ranks = allocateInts(this.store.table.timeline.events.length);
    for (const [rank, place] of this.store.table.timeline.order.places.entries()) ranks[place] = rank;
    return this.departed
      .toSorted((a, b) => ranks[a.place]! - ranks[b.place]!)
      .map(({ departure }) => departure);
  }

  private lot(slice: number): Lot {
    const { store } = this;
    const purchase = store.purchases.values[slice]!;
    const event = store.eventOf(purchase);
    const holdingDay = store.holdingDays.values[slice]!;
    const basisMinor = store.bases.values[slice]!;
    const replaced = store.replaced.values[slice]!;
    const washAddedMinor = replaced > 0 ? store.washAdded.values[replaced - 1]! : 0n;
    return {
      portfolio: event.portfolio,
      reference: event.reference,
      lot: store.nameOf(purchase),
      slice: store.slices.values[slice]!,
      symbol: event.symbol!,
      currency: event.currency,
      acquiredOn: dateOf(store.acquiredDays.values[purchase]!),
      holdingSince: dateOf(holdingDay),
      longFrom: dateOf(longFromDay(holdingDay)),
      quantity: store.quantities.values[slice]!,
      costMinor: basisMinor - washAddedMinor + (store.returned.get(slice) ?? 0n),
      basisMinor,
      washAddedMinor,
      isReplacement: replaced > 0,
      knownAt: event.knownAt,
    };
  }

  private disposal(row: number): Disposal {
    const { store } = this;
    const sale = store.eventAt(store.sales.values[row]!);
    const slice = store.soldSlices.values[row]!;
    const purchase = store.purchases.values[slice]!;
    const event = store.eventOf(purchase);
    const holdingDay = store.holdingDays.values[slice]!;
    const proceedsMinor = store.proceeds.values[row]!;
    const basisMinor = store.soldBases.values[row]!;
    const matches = this.matchesOf(row);
    const total = (parts: readonly WashMatch[]) =>
      parts.reduce((sum, each) => sum + each.disallowedMinor, 0n);
    return {
      portfolio: sale.portfolio,
      reference: sale.reference,
      lot: store.nameOf(purchase),
      slice: store.slices.values[slice]!,
      symbol: sale.symbol!,
      currency: sale.currency,
      acquiredOn: dateOf(store.acquiredDays.values[purchase]!),
      holdingSince: dateOf(holdingDay),
      soldOn: sale.tradedOn,
      term: dateOf(longFromDay(holdingDay)) <= sale.tradedOn ? 'long' : 'short',
      quantity: store.soldQuantities.values[row]!,
      proceedsMinor,
      basisMinor,
      gainMinor: proceedsMinor - basisMinor,
      disallowedMinor: total(matches),
      lostMinor: total(matches.filter(({ isLost }) => isLost)),
      matches,
      knownAt: event.knownAt > sale.knownAt ? event.knownAt : sale.knownAt,
    };
  }

  private departure(row: number, slice: number, taken: { quantity: bigint; basis: bigint }): Departure {
    const { store } = this;
    const event = store.eventAt(row);
    const purchase = store.purchases.values[slice]!;
    return {
      portfolio: event.portfolio,
      reference: event.reference,
      lot: store.nameOf(purchase),
      slice: store.slices.values[slice]!,
      symbol: event.symbol!,
      currency: store.eventOf(purchase).currency,
      on: event.tradedOn,
      acquiredOn: dateOf(store.acquiredDays.values[purchase]!),
      holdingSince: dateOf(store.holdingDays.values[slice]!),
      quantity: taken.quantity,
      basisMinor: taken.basis,
    };
  }

  private matchesOf(row: number): WashMatch[] {
    const { store } = this;
    const matches: WashMatch[] = [];
    for (let at = store.lastMatches.values[row]!; at >= 0; at = store.matchesBefore.values[at]!) {
      const purchase = store.matchPurchases.values[at]!;
      matches.push({
        portfolio: store.termsOf(purchase).portfolio,
        lot: store.nameOf(purchase),
        quantity: store.matchQuantities.values[at]!,
        disallowedMinor: store.matchDisallowed.values[at]!,
        isLost: store.termsOf(purchase).accountKind === 'tax_exempt',
      });
    }
    return matches.reverse();
  }
}

function ranksOf(texts: readonly string[]): Int32Array {
  const ranks = allocateInts(texts.length);
  const sorted = Array.from(texts.keys()).sort((a, b) => compareText(texts[a]!, texts[b]!));
  for (const [rank, at] of sorted.entries()) ranks[at] = rank;
  return ranks;
}
