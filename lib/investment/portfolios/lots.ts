import { unitedStates, type Regime } from '../tax/regime.ts';
import type { WashOptions } from '../tax/wash-window.ts';
import type { Rows } from './columns.ts';
import type { EventConflict } from './known-events.ts';
import type { Departure, Disposal, Lot } from './lot.ts';
import type { LotFault } from './lot-fault.ts';
import { LotLedger } from './lot-ledger.ts';
import type { GainRates } from './lot-relief.ts';
import type { PortfolioEvent, PortfolioTerms, SplitAction } from './portfolio-event.ts';
import { replay } from './replay.ts';

export type LotsInput = {
  /** Every version of the events of these portfolios, in any order. */
  events: readonly PortfolioEvent[];
  splits: readonly SplitAction[];
  /** The terms of each portfolio. Losses are matched with purchases across those of one wash group. */
  portfolios: readonly PortfolioTerms[];
  /** The last day that counts, in trade dates and in knowledge. */
  asOf: string;
  /** Sets of securities that are substantially identical. A symbol is in one set at most. */
  identical?: readonly (readonly string[])[];
  /** Rates for `min_tax`; 3700 and 2000 basis points by default. */
  rates?: GainRates;
  /** A regime with lots; the United States by default. */
  regime?: Regime;
  wash?: Partial<Omit<WashOptions, 'days'>>;
};

export type Lots = {
  /** Open slices, by portfolio, symbol, and order of purchase. */
  lots: Rows<Lot>;
  /** In the order of the sales. */
  disposals: Rows<Disposal>;
  departures: Departure[];
  /** One for each portfolio that is inconsistent. The events of that portfolio from there on are left out. */
  faults: LotFault[];
};

const DEFAULT_RATES: GainRates = { shortBps: 3700, longBps: 2000 };

/**
 * Derives tax lots, and what was sold of them, from events. All arithmetic is exact; a part of a basis is rounded down
 * to the minor unit and the last part takes the rest, so that basis is conserved. Purchases of a day come before its
 * sales. Purchases count with their fees, sales without them.
 *
 * The function throws a `RangeError` on a date or a split ratio that is not valid, on a regime without lots, and above 2^62
 * minor units or 2^62 units of 10^-8 shares. The
 * time is linear in the events, times the logarithm of the open lots of a symbol.
 *
 * Source: relief methods and rounding as in the golden file `tax_lots`; wash sales as in `WashWindow`.
 * Example: 200 bought for 10,000.00 and 100 sold for 4,000.00 leave a lot of 100 with a basis of 5,000.00, and a
 * disposal with a gain of -1,000.00.
 */
export function deriveLots(input: LotsInput): Lots {
  const { regime = unitedStates, rates = DEFAULT_RATES } = input;
  if (regime.pooling !== 'lots') throw new RangeError(`the regime ${regime.key} has no lots`);
  const ledger = new LotLedger(input.portfolios, {
    rates,
    size: input.events.length,
    identical: input.identical ?? [],
    wash:
      regime.washDays === null
        ? undefined
        : {
            days: regime.washDays,
            sameLotIsReplacement: input.wash?.sameLotIsReplacement ?? false,
            earlierPurchasesReplace: input.wash?.earlierPurchasesReplace ?? true,
          },
  });
  const conflicts = replay(input, ledger);
  return {
    lots: ledger.lots(),
    disposals: ledger.disposals(),
    departures: ledger.departures,
    faults: faultsOf(ledger.faults, conflicts),
  };
}

/** The first fault of each portfolio, by portfolio. A conflict counts on the date of its event. */
function faultsOf(found: ReadonlyMap<string, LotFault>, conflicts: readonly EventConflict[]): LotFault[] {
  const first = new Map(found);
  for (const conflict of conflicts) {
    const other = first.get(conflict.portfolio);
    if (!other || conflict.on < other.on) first.set(conflict.portfolio, { ...conflict, symbol: null });
  }
  return [...first.values()].toSorted((a, b) => (a.portfolio < b.portfolio ? -1 : 1));
}
