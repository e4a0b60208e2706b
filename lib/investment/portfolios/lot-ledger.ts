import { compareText } from '#lib/core/compare-text.ts';
import { dayNumber } from '#lib/core/date.ts';
import { WashWindow, type WashOptions } from '../tax/wash-window.ts';
import { Rows } from './columns.ts';
import { costOf, proceedsOf } from './event-amount.ts';
import { faultOfBasis, faultOfMembers } from './event-fault.ts';
import type { Departure, Disposal, Lot } from './lot.ts';
import { LotBook } from './lot-book.ts';
import type { LotFault } from './lot-fault.ts';
import { LotQueues, pricedReliefs, type GainRates } from './lot-relief.ts';
import { LotStore } from './lot-store.ts';
import type { PortfolioEvent, PortfolioTerms } from './portfolio-event.ts';
import { overrideOf, type Replayed, type Split } from './replay.ts';

export type LedgerOptions = {
  rates: GainRates;
  identical: readonly (readonly string[])[];
  wash: WashOptions | undefined;
  /** The expected number of events. */
  size: number;
};

type Account = { terms: PortfolioTerms; books: Map<string, LotBook> };

/** The largest sum of all amounts: 64-bit columns hold every sum below it. */
const AMOUNT_MAX = 1n << 62n;

/** The lots of several portfolios during a replay. */
export class LotLedger implements Replayed {
  readonly departures: Departure[] = [];
  readonly faults = new Map<string, LotFault>();
  private readonly options: LedgerOptions;
  private readonly store: LotStore;
  private readonly queues: LotQueues;
  private readonly accounts = new Map<string, Account>();
  private readonly windows = new Map<string, WashWindow>();
  private readonly classes: ReadonlyMap<string, string>;
  private amounts = 0n;

  constructor(portfolios: readonly PortfolioTerms[], options: LedgerOptions) {
    this.options = options;
    this.store = new LotStore({
      events: options.size,
      isPriced: portfolios.some(({ lotRelief }) => pricedReliefs.has(lotRelief)),
    });
    this.queues = new LotQueues(this.store, options.rates);
    this.classes = new Map(options.identical.flatMap((set) => set.map((symbol) => [symbol, set[0]!])));
    for (const terms of portfolios) this.accounts.set(terms.portfolio, { terms, books: new Map() });
  }

  event(event: PortfolioEvent, day: number): void {
    if (this.faults.size > 0 && this.faults.has(event.portfolio)) return;
    const account = this.accounts.get(event.portfolio);
    if (!account) return this.fail(event, 'portfolio_unknown');
    const fault = faultOfMembers(event);
    if (fault) return this.fail(event, fault.code);
    switch (event.type) {
      case 'buy':
      case 'reinvest':
      case 'transfer_in':
        return this.acquire(event, day, account);
      case 'sell':
      case 'transfer_out':
        return this.dispose(event, day, account);
      case 'return_of_capital':
        return this.returnCapital(event, account);
      case 'split_override':
        return this.split(overrideOf(event, day), { only: event.portfolio });
      default:
    }
  }

  split({ symbol, ratio }: Split, where: { only: string } | { except: ReadonlySet<string> }): void {
    const { sales } = this.store;
    for (const [portfolio, { books }] of this.accounts) {
      const isMeant = 'only' in where ? portfolio === where.only : !where.except.has(portfolio);
      const book = isMeant ? books.get(symbol) : undefined;
      book?.split(ratio);
      book?.wash?.split(ratio, (disposal) => {
        return sales[disposal]!.symbol === symbol && sales[disposal]!.portfolio === portfolio;
      });
    }
  }

  /** The open lots by portfolio and symbol in code units, in the order in which they were formed. */
  lots(): Rows<Lot> {
    const rows = byKey(this.accounts).flatMap(([, { books }]) => byKey(books).map(([, book]) => book.open()));
    const slices = rows.flat();
    return new Rows(slices.length, (row) => this.store.lot(slices[row]!));
  }

  /** The disposals in the order of the sales. */
  disposals(): Rows<Disposal> {
    return new Rows(this.store.sales.length, (row) => this.store.disposal(row));
  }

  private acquire(event: PortfolioEvent, day: number, account: Account): void {
    const isTransfer = event.type === 'transfer_in';
    const fault = isTransfer ? faultOfBasis(event) : undefined;
    if (fault) return this.fail(event, fault.code);
    const book = this.bookOf(event, account);
    if (book.currency !== event.currency) return this.fail(event, 'currencies_mixed');
    const { lot, reference } = event;
    if (book.hasNamed(lot ?? reference, lot !== null)) return this.fail(event, 'event_conflict');
    const basis = this.counted(isTransfer ? event.basisMinor! : costOf(event));
    const acquiredDay = isTransfer ? dayNumber(event.acquiredOn!) : day;
    const slice = book.add({
      purchase: this.store.addPurchase(event, account.terms, acquiredDay),
      slice: 0,
      holdingDay: acquiredDay,
      isReplacement: false,
      quantity: event.quantity!,
      basis,
      washAdded: 0n,
      returned: 0n,
    });
    book.wash?.buy(slice, day);
  }

  private dispose(event: PortfolioEvent, day: number, account: Account): void {
    const book = this.bookOf(event, account);
    const quantity = event.quantity!;
    const isSale = event.type === 'sell';
    if (isSale && book.currency !== event.currency) return this.fail(event, 'currencies_mixed');
    let named: number[] | undefined;
    let { held } = book;
    if (event.lot !== null) {
      const lots = event.lot.split(' ').map((name) => book.named(name));
      if (lots.some((slices) => slices.length === 0)) return this.fail(event, 'lot_unknown');
      named = [...new Set(lots.flat())];
      held = named.reduce((sum, slice) => sum + this.store.quantities.values[slice]!, 0n);
    }
    if (quantity > held) return this.fail(event, 'sale_exceeds_lots', held);
    const proceeds = isSale ? this.counted(proceedsOf(event)) : 0n;
    const first = this.store.sales.length;
    const taker = isSale
      ? (slice: number, shares: bigint, basis: bigint) => {
          this.store.addDisposal(event, { slice, quantity: shares });
          this.store.soldBases.push(basis);
        }
      : (slice: number, shares: bigint, basis: bigint) => {
          this.departures.push(this.store.departure(event, slice, { quantity: shares, basis }));
        };
    if (named) book.takeNamed(named, quantity, taker);
    else book.take({ day, proceeds, quantity }, taker);
    if (isSale) this.settle(event, day, { book, first, proceeds });
  }

  /** Splits the proceeds by shares, rounded down; the last slice takes the rest. Then matches the losses. */
  private settle(
    event: PortfolioEvent,
    day: number,
    { book, first, proceeds }: { book: LotBook; first: number; proceeds: bigint },
  ): void {
    const { store } = this;
    const end = store.sales.length;
    let left = proceeds;
    for (let row = first; row < end; row += 1) {
      const isLast = row === end - 1;
      const part = isLast ? left : (proceeds * store.soldQuantities.values[row]!) / event.quantity!;
      left -= part;
      store.proceeds.push(part);
    }
    if (!book.wash || book.terms.accountKind !== 'taxable') return;
    for (let row = first; row < end; row += 1) {
      if (store.proceeds.values[row]! < store.soldBases.values[row]!) book.wash.lose(row, day);
    }
  }

  /** Reduces the basis of the open lots by shares; what exceeds the basis of a lot is a gain (26 U.S.C. 301(c)). */
  private returnCapital(event: PortfolioEvent, account: Account): void {
    const book = this.bookOf(event, account);
    if (book.held === 0n) return this.fail(event, 'lot_unknown');
    if (book.currency !== event.currency) return this.fail(event, 'currencies_mixed');
    const { store } = this;
    const { bases, quantities, returned } = store;
    const slices = book.open();
    const amount = this.counted(event.amountMinor!);
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
      store.addDisposal(event, { slice, quantity: 0n });
      store.soldBases.push(0n);
      store.proceeds.push(part - reduced);
    }
    book.reorder();
  }

  private bookOf(event: PortfolioEvent, { terms, books }: Account): LotBook {
    const symbol = event.symbol!;
    let book = books.get(symbol);
    if (!book) {
      const { store } = this;
      const { wash: options } = this.options;
      const key = `${terms.washGroup} ${this.classes.get(symbol) ?? symbol}`;
      const wash = options && this.windowOf(key, options);
      const queue = this.queues.queueOf(terms.lotRelief);
      book = new LotBook({ terms, currency: event.currency }, { store, queue, wash });
      books.set(symbol, book);
    }
    return book;
  }

  private windowOf(key: string, options: WashOptions): WashWindow {
    let window = this.windows.get(key);
    if (!window) {
      const { store } = this;
      window = new WashWindow(options, store, (slice, quantity, replacement) => {
        const { portfolio, symbol } = store.events[store.purchases.values[slice]!]!;
        this.accounts.get(portfolio)!.books.get(symbol!)!.replace(slice, quantity, replacement);
      });
      this.windows.set(key, window);
    }
    return window;
  }

  /** Bounds the sum of all amounts, so that no column of 64-bit integers wraps. */
  private counted(amount: bigint): bigint {
    this.amounts += amount < 0n ? -amount : amount;
    if (this.amounts > AMOUNT_MAX) throw new RangeError('the events move more than 2^62 minor units');
    return amount;
  }

  private fail(event: PortfolioEvent, code: LotFault['code'], held?: bigint): void {
    const { portfolio, reference, tradedOn: on, symbol, quantity } = event;
    const shares = held === undefined || quantity === null ? {} : { quantity, held };
    this.faults.set(portfolio, { code, portfolio, reference, on, symbol, ...shares });
  }
}

function byKey<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].toSorted(([a], [b]) => compareText(a, b));
}
