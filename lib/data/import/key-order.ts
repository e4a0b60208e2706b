/**
 * Watches the keys of the rows of a file go by and remembers what needs no memory of them all. A file in ascending
 * order, which most are, has no duplicates, and its months are all next to each other.
 */
export class KeyOrder {
  /** Whether neighbours were seen that are two days of one symbol in one month. */
  hasDaysOfOneMonth = false;
  #bySeries = true;
  #byDay = true;
  #subject = '';
  #keys = '';
  #day = '';

  /**
   * Whether each row so far has a greater key than the one before, in the order of code points: the days of each series
   * one after the other, or the series of each day.
   */
  get isAscending(): boolean {
    return this.#bySeries || this.#byDay;
  }

  /** `keys`: what tells the series of a subject apart. */
  see(subject: string, day: string, keys = ''): void {
    const ofSubject = compare(subject, this.#subject);
    const ofKeys = compare(keys, this.#keys);
    const ofDay = compare(day, this.#day);
    if ((ofSubject || ofKeys || ofDay) <= 0) this.#bySeries = false;
    if ((ofSubject || ofDay || ofKeys) <= 0) this.#byDay = false;
    if (ofSubject === 0 && ofKeys === 0 && ofDay !== 0 && day.startsWith(this.#day.slice(0, 7))) {
      this.hasDaysOfOneMonth = true;
    }
    this.#subject = subject;
    this.#keys = keys;
    this.#day = day;
  }
}

function compare(one: string, other: string): number {
  return one === other ? 0 : one < other ? -1 : 1;
}
