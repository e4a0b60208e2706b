/**
 * Checks the order of the keys in a file with constant memory. Most files are in ascending order. Such a file
 * has no duplicates, and the days of each month of a symbol are adjacent.
 */
export class KeyOrder {
  /** Whether any two adjacent rows so far describe different days of one month of a symbol. */
  hasDaysOfOneMonth = false;
  /** The earliest day so far. `last` is the latest day so far. */
  first = '';
  last = '';
  #bySeries = true;
  #byGroup = true;
  /** The keys already seen for the current subject and day. */
  readonly #seen = new Set<string>();
  #subject = '';
  #keys = '';
  #day = '';

  /**
   * Whether the keys of all rows so far are ascending in code point order: either by series and day, or by
   * subject and day with the series of a day in any order.
   */
  get isAscending(): boolean {
    return this.#bySeries || this.#byGroup;
  }

  /** Checks the key of the next row. `keys` distinguishes the series of a subject. */
  see(subject: string, day: string, keys = ''): void {
    const ofSubject = compare(subject, this.#subject);
    const ofKeys = compare(keys, this.#keys);
    const ofDay = compare(day, this.#day);
    if ((ofSubject || ofKeys || ofDay) <= 0) this.#bySeries = false;
    if (this.#byGroup) this.#seeGroup(ofSubject || ofDay, keys);
    if (day > this.last) this.last = day;
    if (this.first === '' || day < this.first) this.first = day;
    if (ofSubject === 0 && ofKeys === 0 && ofDay !== 0 && day.startsWith(this.#day.slice(0, 7))) {
      this.hasDaysOfOneMonth = true;
    }
    this.#subject = subject;
    this.#keys = keys;
    this.#day = day;
  }

  #seeGroup(order: number, keys: string): void {
    if (order > 0) this.#seen.clear();
    this.#byGroup = order > 0 || (order === 0 && !this.#seen.has(keys));
    this.#seen.add(keys);
  }
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
