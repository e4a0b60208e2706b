/**
 * How lags and windows count the periods of an entity.
 *
 * - **calendar**: every period has a position. For months, `lag(x, 12)` is the same month of the previous
 *   year. A period without an observation has no value.
 * - **observed**: only observed periods have a position, so days without trading are not counted.
 */
export type Counting = 'calendar' | 'observed';

/** The observed periods of one entity, in order, with their positions. */
export class Grid {
  readonly #counting: Counting;
  readonly #observed: number[] = [];

  constructor(counting: Counting) {
    this.#counting = counting;
  }

  /** Records whether a period is observed. */
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

  /** Returns the period at a position; undefined if there is no period at this position. */
  periodAt(place: number): number | undefined {
    return this.#counting === 'calendar' ? place : this.#observed[place];
  }

  /** Returns the observed periods whose windows, which include `reach` earlier periods, contain the given period. */
  reached(period: number, reach: number): number[] {
    const first = this.#firstFrom(period);
    if (this.#counting === 'observed') return this.#observed.slice(first, first + reach + 1);
    return this.#observed.slice(first, this.#firstFrom(period + reach + 1));
  }

  /** Returns the index of the first observed period that is not before the given period. */
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
