/**
 * Whether the first slice comes before the second slice. The order is a total order of the rows of the store.
 */
export type Precedes = (a: number, b: number) => boolean;

/**
 * A heap of slices, with the first slice of the order on top. Removed slices are skipped. Each operation on a
 * slice takes logarithmic time.
 */
export class LotHeap {
  private readonly precedes: Precedes;
  private readonly isGone: (slice: number) => boolean;
  private slices: number[] = [];

  constructor(precedes: Precedes, isGone: (slice: number) => boolean) {
    this.precedes = precedes;
    this.isGone = isGone;
  }

  push(slice: number): void {
    const { slices } = this;
    let at = slices.length;
    slices.push(slice);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.precedes(slice, slices[parent]!)) break;
      slices[at] = slices[parent]!;
      at = parent;
    }
    slices[at] = slice;
  }

  /** Returns the first slice; -1 if the heap is empty. */
  next(): number {
    const { slices } = this;
    while (slices.length > 0 && this.isGone(slices[0]!)) {
      const last = slices.pop()!;
      if (slices.length > 0) this.sink(last, 0);
    }
    return slices.length > 0 ? slices[0]! : -1;
  }

  /** Rebuilds the heap from the given slices, after their sort keys have changed. */
  rebuild(slices: readonly number[]): void {
    this.slices = slices.filter((slice) => !this.isGone(slice));
    for (let at = (this.slices.length >> 1) - 1; at >= 0; at -= 1) this.sink(this.slices[at]!, at);
  }

  private sink(slice: number, from: number): void {
    const { slices } = this;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= slices.length) break;
      if (child + 1 < slices.length && this.precedes(slices[child + 1]!, slices[child]!)) child += 1;
      if (!this.precedes(slices[child]!, slice)) break;
      slices[at] = slices[child]!;
      at = child;
    }
    slices[at] = slice;
  }
}
