import { allocateBigints, allocateInts } from './memory.ts';

/** A column of 32-bit integers. Its memory grows as needed. */
export class IntColumn {
  values: Int32Array;
  length = 0;

  /** The memory is allocated for `size` rows at first. */
  constructor(size: number) {
    this.values = allocateInts(Math.max(size, 16));
  }

  push(value: number): number {
    if (this.length === this.values.length) {
      const grown = allocateInts(2 * this.length);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length] = value;
    return this.length++;
  }
}

/**
 * A column of 64-bit integers. Its memory grows as needed. The ledger limits every sum, so that no value
 * overflows.
 */
export class BigintColumn {
  values: BigInt64Array;
  length = 0;

  /** The memory is allocated for `size` rows at first. */
  constructor(size: number) {
    this.values = allocateBigints(Math.max(size, 16));
  }

  push(value: bigint): number {
    if (this.length === this.values.length) {
      const grown = allocateBigints(2 * this.length);
      grown.set(this.values);
      this.values = grown;
    }
    this.values[this.length] = value;
    return this.length++;
  }
}

/**
 * A list whose rows are created when they are read. A ledger has very many rows, but a page shows only a few
 * of them.
 */
export class Rows<T> implements Iterable<T> {
  readonly length: number;
  private readonly read: (index: number) => T;

  constructor(length: number, read: (index: number) => T) {
    this.length = length;
    this.read = read;
  }

  /**
   * Returns the row at an index; undefined if the index is out of range. An index below 0 counts from the
   * end.
   */
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

  /** Returns the rows from index `first` to `end`, without `end`. */
  slice(first: number, end: number): T[] {
    const rows: T[] = [];
    for (let index = first; index < end && index < this.length; index += 1) rows.push(this.read(index));
    return rows;
  }
}

/** Numbers texts from 0, in the order in which they are first seen. */
export class Numbering {
  readonly texts: string[] = [];
  private readonly numbers = new Map<string, number>();
  private last = '';
  private lastNumber = -1;

  numberOf(text: string): number {
    if (this.lastNumber >= 0 && text === this.last) return this.lastNumber;
    let number = this.numbers.get(text);
    if (number === undefined) {
      number = this.texts.push(text) - 1;
      this.numbers.set(text, number);
    }
    this.last = text;
    this.lastNumber = number;
    return number;
  }
}
