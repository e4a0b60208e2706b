import { dayNumber } from '#lib/core/date.ts';
import { allocateInts } from './memory.ts';
import type { EventType, PortfolioEvent } from './portfolio-event.ts';

/** The order of event types within a day. Shares are added before they are sold. */
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

export type EventOrder = {
  /** The indices of the events, in their order. */
  places: Int32Array;
  /** The day number of each event, by its index. */
  days: Int32Array;
};

/**
 * Sorts events by trade date, then by type (splits, returns of capital, purchases, sales, cash), then by
 * reference and portfolio in code units. The order of the input has no effect, because a reference is unique
 * in its portfolio. Time grows linearly: a counting sort over the dates, then a sort of the events of one
 * date and type. If the dates span many more days than there are events, the events are sorted by comparison.
 */
export function orderEvents(events: readonly PortfolioEvent[]): EventOrder {
  const keys = keysOf(events);
  const places = isSorted(events, keys) ? indices(keys.length) : sortedPlaces(events, keys);
  for (let at = 0; at < keys.length; at += 1) keys[at] = Math.floor(keys[at]! / RANKS);
  return { places, days: keys };
}

function keysOf(events: readonly PortfolioEvent[]): Int32Array {
  const days = new Map<string, number>();
  const keys = allocateInts(events.length);
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

function isSorted(events: readonly PortfolioEvent[], keys: Int32Array): boolean {
  for (let at = 1; at < keys.length; at += 1) {
    if (keys[at - 1]! > keys[at]!) return false;
    if (keys[at - 1] === keys[at] && compare(events[at - 1]!, events[at]!) > 0) return false;
  }
  return true;
}

function sortedPlaces(events: readonly PortfolioEvent[], keys: Int32Array): Int32Array {
  let [low, high] = [Infinity, -Infinity];
  for (const key of keys) {
    if (key < low) low = key;
    if (key > high) high = key;
  }
  if (high - low > 16 * keys.length + 65_536) {
    const byKey = (a: number, b: number) => keys[a]! - keys[b]! || compare(events[a]!, events[b]!);
    return indices(keys.length).sort(byKey);
  }
  const starts = allocateInts(high - low + 2);
  for (const key of keys) starts[key - low + 1]! += 1;
  for (let at = 1; at < starts.length; at += 1) starts[at]! += starts[at - 1]!;
  const places = allocateInts(keys.length);
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

function indices(length: number): Int32Array {
  const places = allocateInts(length);
  for (let at = 0; at < length; at += 1) places[at] = at;
  return places;
}
