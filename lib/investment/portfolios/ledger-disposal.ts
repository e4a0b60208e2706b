import { dateOf, longFromDay, type Term } from '../tax/holding-period.ts';
import { lotNameOf, type Disposal, type Purchase, type WashMatch } from './lot.ts';
import type { TakenSlice } from './lot-book.ts';
import type { PortfolioEvent } from './portfolio-event.ts';

const NONE: readonly WashMatch[] = [];

/**
 * A disposal during and after a derivation. It keeps references to the events, and derives the rest when it is read: a
 * ledger has very many disposals, and a page shows few.
 */
export class LedgerDisposal implements Disposal {
  readonly quantity: bigint;
  readonly proceedsMinor: bigint;
  readonly basisMinor: bigint;
  readonly slice: number;
  disallowedMinor = 0n;
  lostMinor = 0n;
  matches: readonly WashMatch[] = NONE;
  private readonly sale: PortfolioEvent;
  private readonly purchase: Purchase;
  private readonly holdingDay: number;
  private readonly soldDay: number;

  constructor(
    sale: PortfolioEvent,
    soldDay: number,
    { from, quantity, basis }: TakenSlice,
    proceeds: bigint,
  ) {
    this.quantity = quantity;
    this.proceedsMinor = proceeds;
    this.basisMinor = basis;
    this.slice = from.slice;
    this.sale = sale;
    this.purchase = from.purchase;
    this.holdingDay = from.holdingDay;
    this.soldDay = soldDay;
  }

  get gainMinor(): bigint {
    return this.proceedsMinor - this.basisMinor;
  }

  get portfolio(): string {
    return this.sale.portfolio;
  }

  get reference(): string {
    return this.sale.reference;
  }

  get lot(): string {
    return lotNameOf(this.purchase);
  }

  get symbol(): string {
    return this.sale.symbol!;
  }

  get currency(): string {
    return this.sale.currency;
  }

  get acquiredOn(): string {
    return dateOf(this.purchase.acquiredDay);
  }

  get holdingSince(): string {
    return dateOf(this.holdingDay);
  }

  get soldOn(): string {
    return this.sale.tradedOn;
  }

  get term(): Term {
    return longFromDay(this.holdingDay) <= this.soldDay ? 'long' : 'short';
  }

  get knownAt(): string {
    const { event } = this.purchase;
    return event.knownAt > this.sale.knownAt ? event.knownAt : this.sale.knownAt;
  }

  /** Disallows a part of the loss. */
  addMatch(match: WashMatch): void {
    this.matches = this.matches === NONE ? [match] : [...this.matches, match];
    this.disallowedMinor += match.disallowedMinor;
    if (match.isLost) this.lostMinor += match.disallowedMinor;
  }
}
