import type { WashOptions } from '../tax/wash-window.ts';
import type { Rows } from './columns.ts';
import { EFFECTS, type EventTable } from './event-table.ts';
import type { Departure, Disposal, Lot } from './lot.ts';
import type { LotBook, Taker } from './lot-book.ts';
import { LotBooks } from './lot-books.ts';
import type { LotFault } from './lot-fault.ts';
import { LotRows } from './lot-rows.ts';
import { LotQueues, pricedReliefs, type GainRates } from './lot-relief.ts';
import { LotStore } from './lot-store.ts';
import { overrideOf, walk, type Split, type SplitScope } from './replay.ts';

export type LedgerOptions = {
  rates: GainRates;
  wash: WashOptions | undefined;
};

/** Maximum sum of all amounts. A 64-bit column can hold every sum below this limit. */
const AMOUNT_MAX = 1n << 62n;

/** The lots of several portfolios during a replay. An event is a row of the table. */
export class LotLedger {
  readonly faults = new Map<string, LotFault>();
  private readonly table: EventTable;
  private readonly store: LotStore;
  private readonly books: LotBooks;
  private readonly rows: LotRows;
  private amounts = 0n;
  /** The event that is being replayed. */
  private row = 0;
  private readonly sell: Taker = (slice, shares, basis) => {
    this.store.addDisposal(this.row, slice, shares, basis);
  };
  private readonly depart: Taker = (slice, shares, basis) => {
    this.rows.addDeparture(this.row, slice, { quantity: shares, basis });
  };

  constructor(table: EventTable, { rates, wash }: LedgerOptions) {
    const isPriced = table.terms.some(({ lotRelief }) => pricedReliefs.has(lotRelief));
    this.table = table;
    this.store = new LotStore(table, { isPriced });
    const queues = new LotQueues(this.store, rates);
    this.books = new LotBooks(table, { store: this.store, queues, wash });
    this.rows = new LotRows(this.store);
  }

  /**
   * Replays the rows of the table from `first` to `end`, without `end`. A further call replays events of other
   * classes of securities.
   */
  run({ first, end, splits }: { first: number; end: number; splits: readonly Split[] }): void {
    const { timeline, days } = this.table;
    walk(
      timeline,
      { first, end, days, splits },
      {
        event: (row, day) => this.apply(row, day),
        split: (split, where) => this.split(split, where),
      },
    );
    this.books.clear((book, portfolio, symbol) => this.rows.addLots(book.open(), { portfolio, symbol }));
  }

  /**
   * Returns the open lots, ordered by portfolio and symbol in code units, then in the order in which they
   * were formed.
   */
  lots(): Rows<Lot> {
    return this.rows.lots();
  }

  /** Returns the disposals in the order of the sales. */
  disposals(): Rows<Disposal> {
    return this.rows.disposals();
  }

  /** Returns the departures in the order of the transfers. */
  departures(): Departure[] {
    return this.rows.departures();
  }

  private apply(row: number, day: number): void {
    const { table, faults } = this;
    if (faults.size > 0 && faults.has(this.store.eventAt(row).portfolio)) return;
    const fault = table.faults.size > 0 ? table.faults.get(table.places[row]!) : undefined;
    if (fault) return this.fail(row, fault);
    this.row = row;
    switch (table.effects[row]) {
      case EFFECTS.acquire:
        return this.acquire(row, day);
      case EFFECTS.sell:
        return this.dispose(row, day, true);
      case EFFECTS.depart:
        return this.dispose(row, day, false);
      case EFFECTS.returnCapital:
        return this.returnCapital(row);
      case EFFECTS.split: {
        const event = this.store.eventAt(row);
        return this.split(overrideOf(event, day), { only: event.portfolio }, event.reference);
      }
      default:
    }
  }

  /**
   * Applies a split. `override` is the reference of the event that states the split; undefined if no event states it.
   */
  private split({ symbol, on, ratio }: Split, where: SplitScope, override?: string): void {
    const { classes, terms, symbolOf, portfolioOf } = this.table;
    const { sales } = this.store;
    const number = classes.symbols.indexOf(symbol);
    for (const [at, { portfolio }] of terms.entries()) {
      const isMeant = 'only' in where ? portfolio === where.only : !where.except.has(portfolio);
      const book = isMeant ? this.books.find(at, number) : undefined;
      if (book && !book.split(ratio)) {
        const reference = override ?? this.lastLotOf(book);
        if (!this.faults.has(portfolio))
          this.faults.set(portfolio, { code: 'position_too_large', portfolio, reference, on, symbol });
        continue;
      }
      book?.wash?.split(ratio, (disposal) => {
        const sale = sales.values[disposal]!;
        return symbolOf[sale] === number && portfolioOf[sale] === at;
      });
    }
  }

  private acquire(row: number, day: number): void {
    const { table } = this;
    const book = this.books.bookOf(row);
    if (book.currency !== table.currencyOf[row]) return this.fail(row, 'currencies_mixed');
    if (book.hasLotOf(row)) return this.fail(row, 'event_conflict');
    if (!book.hasRoomFor(table.quantities[row]!)) return this.fail(row, 'position_too_large');
    if (!this.count(table.amounts[row]!)) return this.fail(row, 'amounts_too_large');
    const slice = book.acquire(row);
    book.wash?.buy(slice, day);
  }

  private dispose(row: number, day: number, isSale: boolean): void {
    const { store, table } = this;
    const book = this.books.bookOf(row);
    const quantity = table.quantities[row]!;
    if (isSale && book.currency !== table.currencyOf[row]) return this.fail(row, 'currencies_mixed');
    let named: number[] | undefined;
    let { held } = book;
    if (table.named[row] === 1) {
      const lots = this.store
        .eventAt(row)
        .lot!.split(' ')
        .map((name) => book.named(name));
      if (lots.some((slices) => slices.length === 0)) return this.fail(row, 'lot_unknown');
      named = [...new Set(lots.flat())];
      held = named.reduce((sum, slice) => sum + store.quantities.values[slice]!, 0n);
    }
    if (quantity > held) return this.fail(row, 'sale_exceeds_lots', held);
    const proceeds = isSale ? table.amounts[row]! : 0n;
    if (!this.count(proceeds)) return this.fail(row, 'amounts_too_large');
    const first = store.sales.length;
    const taker = isSale ? this.sell : this.depart;
    if (named) book.takeNamed(named, quantity, taker);
    else book.take({ day, proceeds, quantity }, taker);
    if (isSale) this.settle(day, { book, first, proceeds, quantity });
  }

  /**
   * Divides the proceeds of a sale in proportion to the shares, rounded down; the last slice gets the rest.
   * Then matches losses with replacement purchases.
   */
  private settle(day: number, { book, first, proceeds, quantity }: Settled): void {
    const { store } = this;
    const end = store.sales.length;
    let left = proceeds;
    for (let row = first; row < end; row += 1) {
      const isLast = row === end - 1;
      const part = isLast ? left : (proceeds * store.soldQuantities.values[row]!) / quantity;
      left -= part;
      store.proceeds.push(part);
    }
    if (!book.wash || book.terms.accountKind !== 'taxable') return;
    for (let row = first; row < end; row += 1) {
      if (store.proceeds.values[row]! < store.soldBases.values[row]!) book.wash.lose(row, day);
    }
  }

  /**
   * Reduces the basis of the open lots in proportion to their shares. An amount above the basis of a lot is a
   * gain (26 U.S.C. 301(c)).
   */
  private returnCapital(row: number): void {
    const book = this.books.bookOf(row);
    const { store, table } = this;
    if (book.held === 0n) return this.fail(row, 'lot_unknown');
    if (book.currency !== table.currencyOf[row]) return this.fail(row, 'currencies_mixed');
    const amount = table.amounts[row]!;
    if (!this.count(amount)) return this.fail(row, 'amounts_too_large');
    const { bases, quantities, returned } = store;
    const slices = book.open();
    let left = amount;
    for (const [at, slice] of slices.entries()) {
      const isLast = at === slices.length - 1;
      const part = isLast ? left : (amount * quantities.values[slice]!) / book.held;
      left -= part;
      const basis = bases.values[slice]!;
      const reduced = part < basis ? part : basis;
      bases.values[slice] = basis - reduced;
      returned.set(slice, (returned.get(slice) ?? 0n) + reduced);
      if (part === reduced) continue;
      store.addDisposal(row, slice, 0n, 0n);
      store.proceeds.push(part - reduced);
    }
    book.reorder();
  }

  /**
   * Adds an amount to the sum of all amounts. Returns false and adds nothing if the sum would exceed the limit,
   * so that no column of 64-bit integers overflows.
   */
  private count(amount: bigint): boolean {
    const amounts = this.amounts + (amount < 0n ? -amount : amount);
    if (amounts > AMOUNT_MAX) return false;
    this.amounts = amounts;
    return true;
  }

  /** Returns the reference of the event with the last open lot of a position. */
  private lastLotOf(book: LotBook): string {
    const { store } = this;
    return store.eventOf(store.purchases.values[book.open().at(-1)!]!).reference;
  }

  private fail(row: number, code: LotFault['code'], held?: bigint): void {
    const { portfolio, reference, tradedOn: on, symbol, quantity } = this.store.eventAt(row);
    const shares = held === undefined || quantity === null ? {} : { quantity, held };
    this.faults.set(portfolio, { code, portfolio, reference, on, symbol, ...shares });
  }
}

type Settled = { book: LotBook; first: number; proceeds: bigint; quantity: bigint };
