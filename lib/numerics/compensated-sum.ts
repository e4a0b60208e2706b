/**
 * Adds numbers and compensates the rounding errors. The result is as exact as a sum in twice the precision.
 * Source: Neumaier, "Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen" (ZAMM 1974).
 *
 * Example: for 1, 1e100, 1 and -1e100 the value is 2.
 */
export class CompensatedSum {
  #total = 0;
  #lost = 0;

  add(value: number): void {
    const next = this.#total + value;
    this.#lost +=
      Math.abs(this.#total) >= Math.abs(value) ? this.#total - next + value : value - next + this.#total;
    this.#total = next;
  }

  get value(): number {
    return this.#total + this.#lost;
  }
}
