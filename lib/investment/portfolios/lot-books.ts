import { WashWindow, type WashOptions } from '../tax/wash-window.ts';
import type { EventTable } from './event-table.ts';
import { LotBook } from './lot-book.ts';
import type { LotQueues } from './lot-relief.ts';
import type { LotStore } from './lot-store.ts';

export type BookOptions = {
  store: LotStore;
  queues: LotQueues;
  wash: WashOptions | undefined;
};

/** The books and the wash-sale windows of the events that a ledger replays together. */
export class LotBooks {
  private readonly table: EventTable;
  private readonly options: BookOptions;
  /** The number of the wash group, by the number of the portfolio. */
  private readonly groupOf: readonly number[];
  private readonly books = new Map<number, LotBook>();
  private readonly windows = new Map<string, WashWindow>();

  constructor(table: EventTable, options: BookOptions) {
    this.table = table;
    this.options = options;
    const groups = [...new Set(table.terms.map(({ washGroup }) => washGroup))];
    this.groupOf = table.terms.map(({ washGroup }) => groups.indexOf(washGroup));
  }

  /** Returns the book of the portfolio and the symbol of a row. A new book has the currency of the row. */
  bookOf(row: number): LotBook {
    const { portfolioOf, symbolOf, currencyOf, terms } = this.table;
    const portfolio = portfolioOf[row]!;
    const key = symbolOf[row]! * terms.length + portfolio;
    let book = this.books.get(key);
    if (!book) {
      const { store, queues } = this.options;
      const queue = queues.queueOf(terms[portfolio]!.lotRelief);
      const wash = this.windowOf(portfolio, symbolOf[row]!, currencyOf[row]!);
      book = new LotBook({ terms: terms[portfolio]!, currency: currencyOf[row]! }, { store, queue, wash });
      this.books.set(key, book);
    }
    return book;
  }

  /** Returns the book of a portfolio and a symbol; undefined if there is none. */
  find(portfolio: number, symbol: number): LotBook | undefined {
    return this.books.get(symbol * this.table.terms.length + portfolio);
  }

  /** Calls `read` for each book, and removes all books. */
  clear(read: (book: LotBook, portfolio: number, symbol: number) => void): void {
    const many = this.table.terms.length;
    for (const [key, book] of this.books) read(book, key % many, Math.floor(key / many));
    this.books.clear();
    this.windows.clear();
  }

  private windowOf(portfolio: number, symbol: number, currency: number): WashWindow | undefined {
    const { wash, store } = this.options;
    if (!wash) return undefined;
    const place = this.table.classes.classOf[symbol]! * this.table.terms.length + this.groupOf[portfolio]!;
    const key = `${place} ${wash.acrossCurrencies ? '' : currency}`;
    let window = this.windows.get(key);
    if (!window) {
      window = new WashWindow(wash, store, (slice, quantity, replacement) => {
        this.bookOf(store.events.values[store.purchases.values[slice]!]!).replace(
          slice,
          quantity,
          replacement,
        );
      });
      this.windows.set(key, window);
    }
    return window;
  }
}
