/** A column of 32-bit integers that grows. */
export class IntColumn {
  values: Int32Array;
  length = 0;

  /** `size` rows need no growth. */
  constructor(size: number) {
    this.values = new Int32Array(Math.max(size, 16));
  }

  push(value: number): number {
    if (this.length === this.values.length) {
      const grown = new Int32Array(2 * this.length);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length] = value;
    return this.length++;
  }
}

/** A column of 64-bit integers that grows. The ledger bounds every sum, so that no value wraps. */
export class BigintColumn {
  values: BigInt64Array;
  length = 0;

  /** `size` rows need no growth. */
  constructor(size: number) {
    this.values = new BigInt64Array(Math.max(size, 16));
  }

  push(value: bigint): number {
    if (this.length === this.values.length) {
      const grown = new BigInt64Array(2 * this.length);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length] = value;
    return this.length++;
  }
}

/** Rows that are made when they are read: a ledger has very many, and a page shows few. */
export class Rows<T> implements Iterable<T> {
  readonly length: number;
  private readonly read: (index: number) => T;

  constructor(length: number, read: (index: number) => T) {
    this.length = length;
    this.read = read;
  }

  /** The row at a place; undefined outside of the rows. A place below 0 counts from the end. */
  at(index: number): T | undefined {
    const place = index < 0 ? index + this.length : index;
    return place >= 0 && place < this.length ? this.read(place) : undefined;
  }

  *[Symbol.iterator](): Iterator<T> {
    for (let index = 0; index < this.length; index += 1) yield this.read(index);
  }

  map<U>(change: (row: T) => U): U[] {
    return Array.from({ length: this.length }, (_, index) => change(this.read(index)));
  }

  filter(isWanted: (row: T) => boolean): T[] {
    return [...this].filter(isWanted);
  }

  /** The rows from `first` up to `end`. */
  slice(first: number, end: number): T[] {
    const rows: T[] = [];
    for (let index = first; index < end && index < this.length; index += 1) rows.push(this.read(index));
    return rows;
  }
}
