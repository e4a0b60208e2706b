import type { PortfolioEvent } from './portfolio-event.ts';

/**
 * Finds the place of an event by portfolio and reference in a growing list. A hash table over integers: a `Map` of a
 * million references takes five times as long. The hash decides the speed alone, as texts are compared.
 */
export class EventPlaces {
  private readonly events: readonly PortfolioEvent[];
  /** Places plus 1; 0 is free. At most half full. */
  private readonly table: Int32Array;
  /** The hash of each place: another hash is another event, without a look at its texts. */
  private readonly hashes: Int32Array;
  private readonly mask: number;
  private portfolio = '';
  private seed = 0;

  /** `events` is the list that the places refer to, `most` the largest length that it reaches. */
  constructor(events: readonly PortfolioEvent[], most: number) {
    this.events = events;
    let size = 16;
    while (size < 2 * most) size *= 2;
    this.table = new Int32Array(size);
    this.hashes = new Int32Array(size);
    this.mask = size - 1;
  }

  /** The place of the event with this portfolio and reference. A new event takes the place at the end of the list. */
  placeOf({ portfolio, reference }: PortfolioEvent): number {
    if (portfolio !== this.portfolio) {
      this.portfolio = portfolio;
      this.seed = hash(portfolio, 0);
    }
    const { table, hashes, mask, events } = this;
    const own = hash(reference, this.seed);
    for (let slot = own & mask; ; slot = (slot + 1) & mask) {
      const place = table[slot]! - 1;
      if (place < 0) {
        table[slot] = events.length + 1;
        hashes[slot] = own;
        return events.length;
      }
      if (hashes[slot] !== own) continue;
      const event = events[place]!;
      if (event.reference === reference && event.portfolio === portfolio) return place;
    }
  }
}

/** FNV-1a over code units, then the finaliser of MurmurHash3. */
function hash(text: string, seed: number): number {
  let state = seed ^ 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) state = Math.imul(state ^ text.charCodeAt(at), 0x01000193);
  state = Math.imul(state ^ (state >>> 16), 0x85ebca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
  return state ^ (state >>> 16);
}
