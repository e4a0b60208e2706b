import { dayNumber } from '#lib/core/date.ts';
import type { EventType, PortfolioEvent } from './portfolio-event.ts';

/** The order of events within a day: a share is there before it is sold. */
const ranks: Readonly<Record<EventType, number>> = {
  split_override: 0,
  return_of_capital: 1,
  transfer_in: 2,
  buy: 2,
  reinvest: 2,
  sell: 3,
  transfer_out: 3,
  dividend: 4,
  interest: 4,
  fee: 4,
  deposit: 4,
  withdraw: 4,
};
const RANKS = 5;

export type OrderedEvents = {
  events: readonly PortfolioEvent[];
  /** The day number of each event. */ days: Int32Array;
};

/**
 * Sorts events by trade date, then by type (splits, returns of capital, purchases, sales, cash), then by reference
 * and portfolio in code units. The order of the input has no effect, as a reference is unique in its portfolio. Time
 * grows linearly: a counting sort over the dates, then a sort of the events of one date and type. Few events over
 * many centuries are sorted by comparison.
 */
export function orderEvents(events: readonly PortfolioEvent[]): OrderedEvents {
  const keys = keysOf(events);
  const sorted = isSorted(events, keys) ? undefined : sortedPlaces(events, keys);
  const days = new Int32Array(events.length);
  const ordered = sorted === undefined ? events : Array.from(sorted, (at) => events[at]!);
  for (let at = 0; at < days.length; at += 1) {
    days[at] = Math.floor(keys[sorted === undefined ? at : sorted[at]!]! / RANKS);
  }
  return { events: ordered, days };
}

function keysOf(events: readonly PortfolioEvent[]): Float64Array {
  const days = new Map<string, number>();
  const keys = new Float64Array(events.length);
  let date = '';
  let day = 0;
  for (let at = 0; at < keys.length; at += 1) {
    const { tradedOn, type } = events[at]!;
    if (tradedOn !== date) {
      date = tradedOn;
      day = days.get(date) ?? dayNumber(date);
      days.set(date, day);
    }
    keys[at] = day * RANKS + ranks[type];
  }
  return keys;
}

function isSorted(events: readonly PortfolioEvent[], keys: Float64Array): boolean {
  for (let at = 1; at < keys.length; at += 1) {
    if (keys[at - 1]! > keys[at]!) return false;
    if (keys[at - 1] === keys[at] && compare(events[at - 1]!, events[at]!) > 0) return false;
  }
  return true;
}

function sortedPlaces(events: readonly PortfolioEvent[], keys: Float64Array): Int32Array {
  let [low, high] = [Infinity, -Infinity];
  for (const key of keys) {
    if (key < low) low = key;
    if (key > high) high = key;
  }
  if (high - low > 16 * keys.length + 65_536) {
    const byKey = (a: number, b: number) => keys[a]! - keys[b]! || compare(events[a]!, events[b]!);
    return Int32Array.from(keys, (_, at) => at).sort(byKey);
  }
  const starts = new Int32Array(high - low + 2);
  for (const key of keys) starts[key - low + 1]! += 1;
  for (let at = 1; at < starts.length; at += 1) starts[at]! += starts[at - 1]!;
  const places = new Int32Array(keys.length);
  const next = starts.slice();
  for (let at = 0; at < keys.length; at += 1) {
    const key = keys[at]! - low;
    places[next[key]!] = at;
    next[key]! += 1;
  }
  for (let key = 0; key + 1 < starts.length; key += 1) {
    if (starts[key + 1]! - starts[key]! < 2) continue;
    const ties = places.subarray(starts[key], starts[key + 1]);
    const isInOrder = ties.every(
      (at, place) => place === 0 || compare(events[ties[place - 1]!]!, events[at]!) <= 0,
    );
    if (!isInOrder) ties.sort((a, b) => compare(events[a]!, events[b]!));
  }
  return places;
}

function compare(a: PortfolioEvent, b: PortfolioEvent): number {
  if (a.reference !== b.reference) return a.reference < b.reference ? -1 : 1;
  return a.portfolio < b.portfolio ? -1 : a.portfolio > b.portfolio ? 1 : 0;
}
