/**
 * The places of an entity's periods, along which lags and windows count.
 *
 * - **calendar**: every period has a place, so that `lag(x, 12)` of months is the same month of the year before, and
 *   where nothing was observed there is no value.
 * - **observed**: only the periods that were observed have one, so that days without trading do not count.
 */
export type Counting = 'calendar' | 'observed';

/** The periods of one entity that are observed, in order, with their places. */
export class Grid {
  readonly #counting: Counting;
  readonly #observed: number[] = [];

  constructor(counting: Counting) {
    this.#counting = counting;
  }

  /** Notes whether a period is observed. */
  note(period: number, isObserved: boolean): void {
    const at = this.#firstFrom(period);
    const wasObserved = this.#observed[at] === period;
    if (isObserved && !wasObserved) this.#observed.splice(at, 0, period);
    if (!isObserved && wasObserved) this.#observed.splice(at, 1);
  }

  isObserved(period: number): boolean {
    return this.#observed[this.#firstFrom(period)] === period;
  }

  placeOf(period: number): number {
    return this.#counting === 'calendar' ? period : this.#firstFrom(period);
  }

  /** The period at a place; undefined where there is none. */
  periodAt(place: number): number | undefined {
    return this.#counting === 'calendar' ? place : this.#observed[place];
  }

  /** The observed periods whose windows of `reach` periods hold the given one. */
  reached(period: number, reach: number): number[] {
    const first = this.#firstFrom(period);
    if (this.#counting === 'observed') return this.#observed.slice(first, first + reach + 1);
    return this.#observed.slice(first, this.#firstFrom(period + reach + 1));
  }

  /** Where the first observed period from the given one on stands among them. */
  #firstFrom(period: number): number {
    let low = 0;
    let high = this.#observed.length;
    if (high > 0 && this.#observed[high - 1]! < period) return high;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#observed[middle]! < period) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
