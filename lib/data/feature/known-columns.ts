import type { Observation } from './history.ts';

/** The known values of an entity's columns, by period. */
export class KnownColumns {
  /** The known values by column, period and rank. */
  readonly #known = new Map<string, Map<number, Map<number, number>>>();
  readonly #values = new Map<string, Map<number, number>>();
  readonly #presence: readonly string[];

  /**
   * `presence` lists the columns that show whether the entity was observed. The entity was observed in a period if at
   * least one of them has a value.
   */
  constructor(presence: readonly string[]) {
    this.#presence = presence;
  }

  /** Adds an observation. Observations must be added in the order in which they became known. */
  learn({ column, period, rank, value }: Observation): void {
    const ofPeriod = entry(entry(this.#known, column), period);
    if (value === null) ofPeriod.delete(rank);
    else ofPeriod.set(rank, value);
    let highest = -Infinity;
    let counts = Number.NaN;
    for (const [each, known] of ofPeriod) if (each > highest) [highest, counts] = [each, known];
    entry(this.#values, column).set(period, counts);
  }

  /** Returns the value of a column in a period; NaN if there is no value. */
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
