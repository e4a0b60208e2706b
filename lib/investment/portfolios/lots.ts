import { compareText } from '#lib/core/compare-text.ts';
import { unitedStates, type Regime } from '../tax/regime.ts';
import type { WashOptions } from '../tax/wash-window.ts';
import type { Rows } from './columns.ts';
import type { EventConflict } from './known-events.ts';
import type { Departure, Disposal, Lot } from './lot.ts';
import type { LotFault } from './lot-fault.ts';
import { deriveLedger } from './lot-derivation.ts';
import type { GainRates } from './lot-relief.ts';
import type { PortfolioEvent, PortfolioTerms, SplitAction } from './portfolio-event.ts';
import { timelineOf } from './replay.ts';

export type LotsInput = {
  /** Every version of the events of these portfolios, in any order. */
  events: readonly PortfolioEvent[];
  splits: readonly SplitAction[];
  /**
   * The terms of each portfolio. A loss is matched with purchases in its currency in all portfolios of the wash group.
   */
  portfolios: readonly PortfolioTerms[];
  /** The as-of date. Events traded or known after this day are ignored. */
  asOf: string;
  /** Sets of substantially identical securities. A symbol is in at most one set. */
  identical?: readonly (readonly string[])[];
  /** Rates for `min_tax`; 3700 and 2000 basis points by default. */
  rates?: GainRates;
  /** A regime with lots. Default: the United States. */
  regime?: Regime;
  wash?: Partial<Omit<WashOptions, 'days'>>;
};

export type Lots = {
  /** Open slices, ordered by portfolio, symbol, and order of purchase. */
  lots: Rows<Lot>;
  /** In the order of the sales. */
  disposals: Rows<Disposal>;
  departures: Departure[];
  /**
   * The first fault of each inconsistent portfolio. The event with the fault and all later events of the
   * portfolio are left out.
   */
  faults: LotFault[];
};

const DEFAULT_RATES: GainRates = { shortBps: 3700, longBps: 2000 };

/**
 * Derives tax lots and disposals from events. All arithmetic is exact. A part of a basis is rounded down to
 * the minor unit, and the last part gets the rest, so that the sum of the basis does not change. Purchases of
 * a day are processed before its sales. The cost of a purchase includes fees, and the proceeds of a sale are
 * after fees.
 *
 * A portfolio has a fault if a position exceeds 2^62 units of 10^-8 shares, or if the amounts of all portfolios
 * exceed 2^62 minor units together. Throws a `RangeError` on an invalid date or split ratio, and on a regime
 * without lots. The time is proportional to the number of events, times the logarithm of the number of open
 * lots of a symbol.
 *
 * Source: relief methods and rounding as in the golden file `tax_lots`; wash sales as in `WashWindow`.
 *
 * Example: a purchase of 200 shares for 10,000.00 and a sale of 100 shares for 4,000.00 leave a lot of 100
 * shares with a basis of 5,000.00, and a disposal with a gain of -1,000.00.
 */
export function deriveLots(input: LotsInput): Lots {
  const { regime = unitedStates, rates = DEFAULT_RATES } = input;
  if (regime.pooling !== 'lots') throw new RangeError(`the regime ${regime.key} has no lots`);
  const timeline = timelineOf(input);
  const ledger = deriveLedger(timeline, input.portfolios, {
    rates,
    identical: input.identical ?? [],
    wash:
      regime.washDays === null
        ? undefined
        : {
            days: regime.washDays,
            sameLotIsReplacement: input.wash?.sameLotIsReplacement ?? false,
            earlierPurchasesReplace: input.wash?.earlierPurchasesReplace ?? true,
            acrossCurrencies: input.wash?.acrossCurrencies ?? false,
          },
  });
  return {
    lots: ledger.lots(),
    disposals: ledger.disposals(),
    departures: ledger.departures(),
    faults: faultsOf(ledger.faults, timeline.conflicts),
  };
}

/**
 * Returns the first fault of each portfolio, ordered by portfolio. A conflict is dated on the trade date of its event.
 */
function faultsOf(found: ReadonlyMap<string, LotFault>, conflicts: readonly EventConflict[]): LotFault[] {
  const first = new Map(found);
  for (const conflict of conflicts) {
    const other = first.get(conflict.portfolio);
    if (!other || conflict.on < other.on) first.set(conflict.portfolio, { ...conflict, symbol: null });
  }
  return [...first.values()].toSorted((a, b) => compareText(a.portfolio, b.portfolio));
}
