import { dayNumber } from '#lib/core/date.ts';
import { ONE, parseFraction, type Fraction } from '#lib/core/decimal.ts';
import { orderEvents, type EventOrder } from './event-order.ts';
import { knownEvents, knownSplits, type EventConflict } from './known-events.ts';
import type { PortfolioEvent, SplitAction } from './portfolio-event.ts';

export type Split = {
  symbol: string;
  on: string;
  day: number;
  /** Number of shares after the split for each share before the split. */
  ratio: Fraction;
};

/** The portfolios in which a split takes effect. */
export type SplitScope = { only: string } | { except: ReadonlySet<string> };

/** The receiver of a replay. Its functions are called in the order of the events. */
export type Replayed = {
  event(event: PortfolioEvent, day: number): void;
  split(split: Split, where: SplitScope): void;
};

export type ReplayInput = {
  /** Every version of the events, in any order. */
  events: readonly PortfolioEvent[];
  /** Every version of the splits, in any order. */
  splits: readonly SplitAction[];
  /** The as-of date. Events traded or known after this day are ignored. */
  asOf: string;
};

/** The events and splits that were known at the end of a day. */
export type Timeline = {
  /** The known events in any order. */
  events: readonly PortfolioEvent[];
  order: EventOrder;
  /** The known splits in the order of their ex dates. */
  splits: readonly Split[];
  /** The portfolios that override a split, by ex date and symbol. */
  overridden: ReadonlyMap<string, ReadonlySet<string>>;
  /** The events with contradicting versions. */
  conflicts: readonly EventConflict[];
};

/** A part of a replay. `days` are the day numbers of the events. */
type Walked = { first: number; end: number; days: Int32Array; splits: readonly Split[] };

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Calls `into` for each event known at the end of a day, once and in the order of `orderEvents`, and for each
 * split known then. A split takes effect before the trades of its ex date. A `split_override` replaces the
 * split of the same symbol and ex date in its portfolio. Throws a `RangeError` for a split ratio that is not
 * decimal text above 0. Returns the events with contradicting versions.
 */
export function replay(input: ReplayInput, into: Replayed): readonly EventConflict[] {
  const timeline = timelineOf(input);
  const { events, order, splits } = timeline;
  const { places } = order;
  const days = Int32Array.from(places, (place) => order.days[place]!);
  walk(
    timeline,
    { first: 0, end: places.length, days, splits },
    {
      event: (at, day) => into.event(events[places[at]!]!, day),
      split: (split, where) => into.split(split, where),
    },
  );
  return timeline.conflicts;
}

/** Returns the events and splits of a replay. Throws a `RangeError` for an invalid date or split ratio. */
export function timelineOf({ events, splits, asOf }: ReplayInput): Timeline {
  const known = knownEvents(events, { asOf });
  return {
    events: known.events,
    order: orderEvents(known.events),
    splits: knownSplits(splits, { asOf }).map(splitOf),
    overridden: splits.length === 0 ? new Map() : overridesOf(known.events),
    conflicts: known.conflicts,
  };
}

/**
 * Calls `into` for the events from `first` to `end`, without `end`, and for the given splits, as `replay` does.
 */
export function walk(
  { overridden }: Pick<Timeline, 'overridden'>,
  { first, end, days, splits }: Walked,
  into: { event(at: number, day: number): void; split(split: Split, where: SplitScope): void },
): void {
  let next = 0;
  const splitUntil = (day: number) => {
    for (let split = splits[next]; split !== undefined && split.day <= day; split = splits[next]) {
      into.split(split, { except: overridden.get(`${split.on} ${split.symbol}`) ?? NOBODY });
      next += 1;
    }
  };
  for (let at = first; at < end; at += 1) {
    const day = days[at]!;
    if (next < splits.length) splitUntil(day);
    into.event(at, day);
  }
  splitUntil(Infinity);
}

/**
 * Returns the split ratio of a `split_override`: `quantity` shares after the split for `price` shares
 * (default 1) before the split.
 */
export function overrideOf({ symbol, tradedOn, quantity, price }: PortfolioEvent, day: number): Split {
  const ratio = { numerator: quantity!, denominator: price ?? ONE };
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
