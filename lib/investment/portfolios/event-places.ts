import { allocateInts } from './memory.ts';
import type { PortfolioEvent } from './portfolio-event.ts';

/**
 * Finds the index of an event in a growing list, by portfolio and reference. Uses a hash table of integers,
 * because a `Map` of a million references takes five times as long. References are compared as texts, so the
 * hash affects only the speed.
 */
export class EventPlaces {
  /**
   * The hash table. An entry is two numbers. The first is the index of an event plus 1; 0 if the entry is empty. The
   * second is the hash of the event. If the hashes differ, the events differ, and their texts are not compared. At most
   * half of the entries are used.
   */
  private readonly table: Int32Array;
  private readonly mask: number;
  private portfolio = '';
  private seed = 0;

  /** `most` is the maximum length of the list. */
  constructor(most: number) {
    let size = 16;
    while (size < 2 * most) size *= 2;
    this.table = allocateInts(2 * size);
    this.mask = size - 1;
  }

  /**
   * Returns the index of the event with this portfolio and reference among the first `count` events of the list.
   * For a new event, returns `count`, and the caller adds the event to the list at this index.
   */
  placeOf(
    { portfolio, reference }: PortfolioEvent,
    events: readonly PortfolioEvent[],
    count: number,
  ): number {
    if (portfolio !== this.portfolio) {
      this.portfolio = portfolio;
      this.seed = hash(portfolio, 0);
    }
    const { table, mask } = this;
    const own = hash(reference, this.seed);
    for (let slot = own & mask; ; slot = (slot + 1) & mask) {
      const place = table[2 * slot]! - 1;
      if (place < 0) {
        table[2 * slot] = count + 1;
        table[2 * slot + 1] = own;
        return count;
      }
      if (table[2 * slot + 1] !== own) continue;
      const event = events[place]!;
      if (event.reference === reference && event.portfolio === portfolio) return place;
    }
  }
}

/** Returns the FNV-1a hash of the code units, after the finaliser of MurmurHash3. */
function hash(text: string, seed: number): number {
  let state = seed ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}
