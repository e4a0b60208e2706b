import { dayNumber } from '#lib/core/date.ts';
import { parseFraction, type Fraction } from '#lib/core/decimal.ts';
import { orderEvents } from './event-order.ts';
import { knownEvents, knownSplits, type EventConflict } from './known-events.ts';
import type { PortfolioEvent, SplitAction } from './portfolio-event.ts';

export type Split = {
  symbol: string;
  on: string;
  day: number;
  /** Shares after the split for one share before it. */
  ratio: Fraction;
};

/** The reader of a replay. Calls come in the order of the events. */
export type Replayed = {
  event(event: PortfolioEvent, day: number): void;
  /** A split of a symbol in one portfolio, or in all portfolios except some. */
  split(split: Split, where: { only: string } | { except: ReadonlySet<string> }): void;
};

export type ReplayInput = {
  /** Every version of the events, in any order. */
  events: readonly PortfolioEvent[];
  /** Every version of the splits, in any order. */
  splits: readonly SplitAction[];
  /** The last day that counts, in trade dates and in knowledge. */
  asOf: string;
};

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Hands the events known by a day to `into`, each once and in their order (`orderEvents`), with the splits known by
 * then: a split takes effect before the trades of its ex date. A `split_override` replaces the split of the same
 * symbol and ex date in its portfolio. A ratio that is not decimal text above 0 throws a `RangeError`. Returns the
 * events with contradicting versions.
 */
export function replay({ events, splits, asOf }: ReplayInput, into: Replayed): EventConflict[] {
  const known = knownEvents(events, { asOf });
  const ordered = orderEvents(known.events);
  const overridden = splits.length === 0 ? new Map<string, Set<string>>() : overridesOf(ordered.events);
  const actions = knownSplits(splits, { asOf }).map(splitOf);
  let next = 0;
  const splitUntil = (day: number) => {
    for (let split = actions[next]; split !== undefined && split.day <= day; split = actions[next]) {
      into.split(split, { except: overridden.get(`${split.on} ${split.symbol}`) ?? NOBODY });
      next += 1;
    }
  };
  for (let at = 0; at < ordered.events.length; at += 1) {
    const event = ordered.events[at]!;
    const day = ordered.days[at]!;
    if (next < actions.length) splitUntil(day);
    into.event(event, day);
  }
  splitUntil(Infinity);
  return known.conflicts;
}

/** The split that a `split_override` states: `quantity` shares after it for `price` shares (default 1) before it. */
export function overrideOf({ symbol, tradedOn, quantity, price }: PortfolioEvent, day: number): Split {
  const ratio = { numerator: quantity!, denominator: price ?? 100_000_000n };
  return { symbol: symbol!, on: tradedOn, day, ratio };
}

function splitOf({ symbol, exOn, ratio }: SplitAction): Split {
  const parsed = parseFraction(ratio);
  if (parsed === undefined || parsed.numerator === 0n) {
    throw new RangeError(`not a split ratio: ${JSON.stringify(ratio)}`);
  }
  return { symbol, on: exOn, day: dayNumber(exOn), ratio: parsed };
}

function overridesOf(events: readonly PortfolioEvent[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  for (const { type, tradedOn, symbol, portfolio } of events) {
    if (type !== 'split_override') continue;
    const key = `${tradedOn} ${symbol}`;
    found.set(key, (found.get(key) ?? new Set()).add(portfolio));
  }
  return found;
}
