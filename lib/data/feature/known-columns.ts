import type { Observation } from './history.ts';

/** What is known of the columns of an entity so far, period by period. */
export class KnownColumns {
  /** By column and period: what is known by rank. */
  readonly #known = new Map<string, Map<number, Map<number, number>>>();
  readonly #values = new Map<string, Map<number, number>>();
  readonly #presence: readonly string[];

  /** `presence` names the columns of which one has a value where the entity is observed at all. */
  constructor(presence: readonly string[]) {
    this.#presence = presence;
  }

  /** Learns an observation; observations come in the order in which they became known. */
  learn({ column, period, rank, value }: Observation): void {
    const ofPeriod = entry(entry(this.#known, column), period);
    if (value === null) ofPeriod.delete(rank);
    else ofPeriod.set(rank, value);
    let highest = -Infinity;
    let counts = Number.NaN;
    for (const [each, known] of ofPeriod) if (each > highest) [highest, counts] = [each, known];
    entry(this.#values, column).set(period, counts);
  }

  /** The value of a column in a period; NaN without one. */
  valueOf(column: string, period: number): number {
    return this.#values.get(column)?.get(period) ?? Number.NaN;
  }

  isObserved(period: number): boolean {
    return this.#presence.some((column) => !Number.isNaN(this.valueOf(column, period)));
  }
}

function entry<Key, Inner, Value>(map: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const found = map.get(key) ?? new Map<Inner, Value>();
  map.set(key, found);
  return found;
}
