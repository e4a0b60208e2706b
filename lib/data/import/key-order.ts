/**
 * Watches the keys of the rows of a file go by and remembers what needs no memory of them all. A file in ascending
 * order, which most are, has no duplicates, and its months are all next to each other.
 */
export class KeyOrder {
  /** Whether each row so far has a greater (symbol, day) than the one before, in the order of code points. */
  isAscending = true;
  /** Whether neighbours were seen that are two days of one symbol in one month. */
  hasDaysOfOneMonth = false;
  #symbol = '';
  #day = '';

  see(symbol: string, day: string): void {
    if (symbol === this.#symbol) {
      if (day <= this.#day) this.isAscending = false;
      if (day !== this.#day && day.startsWith(this.#day.slice(0, 7))) this.hasDaysOfOneMonth = true;
    } else if (symbol < this.#symbol) this.isAscending = false;
    this.#symbol = symbol;
    this.#day = day;
  }
}
