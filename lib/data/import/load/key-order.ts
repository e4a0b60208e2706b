/**
 * Watches the keys of the rows of a file go by and remembers what needs no memory of them all. A file in ascending
 * order, which most are, has no duplicates, and its months are all next to each other.
 */
export class KeyOrder {
  /** Whether neighbours were seen that are two days of one symbol in one month. */
  hasDaysOfOneMonth = false;
  /** First and last day seen. */
  first = '';
  last = '';
  #bySeries = true;
  #byGroup = true;
  /** The keys of the subject and day at hand. */
  readonly #seen = new Set<string>();
  #subject = '';
  #keys = '';
  #day = '';

  /**
   * Whether each row so far has a greater key than the one before, in the order of code points: the days of each series
   * one after the other, or the series of each day of a subject, these among themselves in any order.
   */
  get isAscending(): boolean {
    return this.#bySeries || this.#byGroup;
  }

  /** `keys`: what tells the series of a subject apart. */
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
