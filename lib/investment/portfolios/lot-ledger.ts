import { dayNumber } from '#lib/core/date.ts';
import { valueMinor } from '#lib/core/decimal.ts';
import { minorDigits } from '#lib/core/money.ts';
import { dateOf, longFromDay } from '../tax/holding-period.ts';
import { WashWindow, type Replacement, type WashOptions } from '../tax/wash-window.ts';
import { faultOfBasis, faultOfMembers } from './event-fault.ts';
import { LedgerDisposal } from './ledger-disposal.ts';
import { lotNameOf, type Departure, type Lot, type OpenLot } from './lot.ts';
import { LotBook, type TakenSlice } from './lot-book.ts';
import { queueOf, type GainRates } from './lot-relief.ts';
import type { LotFault } from './lot-fault.ts';
import type { PortfolioEvent, PortfolioTerms } from './portfolio-event.ts';
import { overrideOf, type Replayed, type Split } from './replay.ts';

export type LedgerOptions = {
  rates: GainRates;
  identical: readonly (readonly string[])[];
  wash: WashOptions | undefined;
};

/** The lots of several portfolios during a replay. */
export class LotLedger implements Replayed {
  readonly disposals: LedgerDisposal[] = [];
  readonly departures: Departure[] = [];
  readonly faults = new Map<string, LotFault>();
  private readonly options: LedgerOptions;
  private readonly accounts = new Map<string, { terms: PortfolioTerms; books: Map<string, LotBook> }>();
  private readonly windows = new Map<string, WashWindow>();
  private readonly classes: ReadonlyMap<string, string>;
  private readonly slices = new Map<number, number>();
  private purchases = 0;

  constructor(portfolios: readonly PortfolioTerms[], options: LedgerOptions) {
    this.options = options;
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
        return this.acquire(event, day);
      case 'sell':
      case 'transfer_out':
        return this.dispose(event, day);
      case 'return_of_capital':
        return this.returnCapital(event, day);
      case 'split_override':
        return this.split(overrideOf(event, day), { only: event.portfolio });
      default:
    }
  }

  split({ symbol, ratio }: Split, where: { only: string } | { except: ReadonlySet<string> }): void {
    const isMeant = (portfolio: string) =>
      'only' in where ? portfolio === where.only : !where.except.has(portfolio);
    for (const { terms, books } of this.accounts.values()) {
      const book = isMeant(terms.portfolio) ? books.get(symbol) : undefined;
      book?.split(ratio);
      book?.wash?.split(ratio, (loss) => loss.symbol === symbol && loss.portfolio === terms.portfolio);
    }
  }

  /** The open lots by portfolio and symbol in code units, in the order in which they were formed. */
  openLots(): Lot[] {
    const lots: Lot[] = [];
    for (const [, { books }] of byKey(this.accounts)) {
      for (const [, book] of byKey(books)) for (const lot of book.open()) lots.push(presented(lot));
    }
    return lots;
  }

  private acquire(event: PortfolioEvent, day: number): void {
    const isTransfer = event.type === 'transfer_in';
    const fault = isTransfer ? faultOfBasis(event) : undefined;
    if (fault) return this.fail(event, fault.code);
    const book = this.bookOf(event);
    if (book.currency !== event.currency) return this.fail(event, 'currencies_mixed');
    const name = event.lot ?? event.reference;
    if (book.hasNamed(name, event.lot !== null)) return this.fail(event, 'event_conflict');
    const basis = isTransfer ? event.basisMinor! : withFees(amountOf(event), event.feesMinor);
    const acquiredDay = isTransfer ? dayNumber(event.acquiredOn!) : day;
    const purchase = { event, terms: book.terms, acquiredDay, number: this.purchases++ };
    const lot: OpenLot = {
      purchase,
      slice: 0,
      holdingDay: acquiredDay,
      isReplacement: false,
      quantity: event.quantity!,
      basis,
      washAdded: 0n,
      returned: 0n,
      unitBasis: basis,
      unitQuantity: event.quantity!,
      isLong: false,
    };
    book.add(lot);
    book.wash?.buy(lot, day);
  }

  private dispose(event: PortfolioEvent, day: number): void {
    const book = this.bookOf(event);
    const quantity = event.quantity!;
    const isSale = event.type === 'sell';
    if (isSale && book.currency !== event.currency) return this.fail(event, 'currencies_mixed');
    const proceeds = isSale ? withFees(amountOf(event), -event.feesMinor) : 0n;
    let taken: TakenSlice[];
    if (event.lot === null) {
      if (quantity > book.held) return this.fail(event, 'sale_exceeds_lots', book.held);
      taken = book.take({ day, proceeds, quantity });
    } else {
      const named = event.lot.split(' ').map((name) => book.named(name));
      if (named.some((slices) => slices.length === 0)) return this.fail(event, 'lot_unknown');
      const lots = [...new Set(named.flat())];
      const held = lots.reduce((sum, lot) => sum + lot.quantity, 0n);
      if (quantity > held) return this.fail(event, 'sale_exceeds_lots', held);
      taken = book.takeNamed(lots, quantity);
    }
    if (isSale) this.sell(event, day, book, { taken, proceeds });
    else for (const slice of taken) this.departures.push(departureOf(event, slice));
  }

  /** Splits the proceeds by shares, rounded down; the last slice takes the rest. Then matches the losses. */
  private sell(
    event: PortfolioEvent,
    day: number,
    book: LotBook,
    { taken, proceeds }: { taken: readonly TakenSlice[]; proceeds: bigint },
  ): void {
    const first = this.disposals.length;
    let left = proceeds;
    for (let at = 0; at < taken.length; at += 1) {
      const slice = taken[at]!;
      const isLast = at === taken.length - 1;
      const part = isLast ? left : (proceeds * slice.quantity) / event.quantity!;
      left -= part;
      this.disposals.push(new LedgerDisposal(event, day, slice, part));
    }
    if (!book.wash || book.terms.accountKind !== 'taxable') return;
    for (let at = 0; at < taken.length; at += 1) {
      const disposal = this.disposals[first + at]!;
      if (disposal.gainMinor < 0n) book.wash.lose(disposal, taken[at]!.from, day);
    }
  }

  /** Reduces the basis of the open lots by shares; what exceeds the basis of a lot is a gain (26 U.S.C. 301(c)). */
  private returnCapital(event: PortfolioEvent, day: number): void {
    const book = this.bookOf(event);
    if (book.held === 0n) return this.fail(event, 'lot_unknown');
    if (book.currency !== event.currency) return this.fail(event, 'currencies_mixed');
    const lots = book.open();
    const amount = event.amountMinor!;
    let left = amount;
    for (const [at, lot] of lots.entries()) {
      const part = at === lots.length - 1 ? left : (amount * lot.quantity) / book.held;
      left -= part;
      const returned = part < lot.basis ? part : lot.basis;
      lot.basis -= returned;
      lot.returned += returned;
      const excess = part - returned;
      if (excess > 0n)
        this.disposals.push(new LedgerDisposal(event, day, { from: lot, quantity: 0n, basis: 0n }, excess));
    }
    book.reorder();
  }

  private bookOf(event: PortfolioEvent): LotBook {
    const { terms, books } = this.accounts.get(event.portfolio)!;
    const symbol = event.symbol!;
    let book = books.get(symbol);
    if (!book) {
      const { rates, wash } = this.options;
      const window = wash && this.windowOf(`${terms.washGroup} ${this.classes.get(symbol) ?? symbol}`, wash);
      const { currency } = event;
      book = new LotBook({ terms, symbol, currency }, queueOf(terms.lotRelief, rates), window);
      books.set(symbol, book);
    }
    return book;
  }

  private windowOf(key: string, wash: WashOptions): WashWindow {
    let window = this.windows.get(key);
    if (!window) {
      window = new WashWindow(wash, (lot, replacement) => this.replace(lot, replacement));
      this.windows.set(key, window);
    }
    return window;
  }

  private replace(lot: OpenLot, { quantity, addedBasis, holdingDay }: Replacement): void {
    const { purchase } = lot;
    const slice = (this.slices.get(purchase.number) ?? 0) + 1;
    this.slices.set(purchase.number, slice);
    const { portfolio } = purchase.terms;
    const book = this.accounts.get(portfolio)!.books.get(purchase.event.symbol!)!;
    book.carve(lot, quantity, (taken) => {
      const basis = taken.basis + addedBasis;
      return {
        purchase,
        slice,
        holdingDay,
        isReplacement: true,
        quantity,
        basis,
        washAdded: taken.washAdded + addedBasis,
        returned: taken.returned,
        unitBasis: basis,
        unitQuantity: quantity,
        isLong: false,
      };
    });
  }

  private fail(event: PortfolioEvent, code: LotFault['code'], held?: bigint): void {
    const { portfolio, reference, tradedOn: on, symbol, quantity } = event;
    const shares = held === undefined || quantity === null ? {} : { quantity, held };
    this.faults.set(portfolio, { code, portfolio, reference, on, symbol, ...shares });
  }
}

/** The gross amount of a trade. */
export function amountOf({ amountMinor, quantity, price, currency }: PortfolioEvent): bigint {
  if (amountMinor !== null) return amountMinor;
  const digits = minorDigits(currency);
  if (digits === undefined) throw new RangeError(`not a currency: ${JSON.stringify(currency)}`);
  return valueMinor(quantity!, { numerator: price!, denominator: 100_000_000n }, digits);
}

function withFees(amount: bigint, fees: bigint): bigint {
  return fees === 0n ? amount : amount + fees;
}

function departureOf(event: PortfolioEvent, { from, quantity, basis }: TakenSlice): Departure {
  const { purchase, slice, holdingDay } = from;
  return {
    portfolio: event.portfolio,
    reference: event.reference,
    lot: lotNameOf(purchase),
    slice,
    symbol: purchase.event.symbol!,
    currency: purchase.event.currency,
    on: event.tradedOn,
    acquiredOn: dateOf(purchase.acquiredDay),
    holdingSince: dateOf(holdingDay),
    quantity,
    basisMinor: basis,
  };
}

function presented(lot: OpenLot): Lot {
  const { purchase, basis, washAdded, returned, holdingDay } = lot;
  const { event, acquiredDay } = purchase;
  return {
    portfolio: event.portfolio,
    reference: event.reference,
    lot: lotNameOf(purchase),
    slice: lot.slice,
    symbol: event.symbol!,
    currency: event.currency,
    acquiredOn: dateOf(acquiredDay),
    holdingSince: dateOf(holdingDay),
    longFrom: dateOf(longFromDay(holdingDay)),
    quantity: lot.quantity,
    costMinor: basis - washAdded + returned,
    basisMinor: basis,
    washAddedMinor: washAdded,
    isReplacement: lot.isReplacement,
    knownAt: event.knownAt,
  };
}

function byKey<T>(map: ReadonlyMap<string, T>): [string, T][] {
  return [...map].toSorted(([a], [b]) => (a < b ? -1 : 1));
}
