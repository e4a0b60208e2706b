import type { OpenLot } from './lot.ts';

/** Whether the first lot comes before the second; a total order. */
export type Precedes = (a: OpenLot, b: OpenLot) => boolean;

/** Lots in an order, the first on top. Lots that were emptied elsewhere are skipped. Logarithmic time for each lot. */
export class LotHeap {
  private readonly precedes: Precedes;
  private readonly isGone: (lot: OpenLot) => boolean;
  private lots: OpenLot[] = [];

  constructor(precedes: Precedes, isGone: (lot: OpenLot) => boolean = isEmpty) {
    this.precedes = precedes;
    this.isGone = isGone;
  }

  push(lot: OpenLot): void {
    const { lots } = this;
    let at = lots.length;
    lots.push(lot);
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.precedes(lot, lots[parent]!)) break;
      lots[at] = lots[parent]!;
      at = parent;
    }
    lots[at] = lot;
  }

  top(): OpenLot | undefined {
    while (this.lots.length > 0 && this.isGone(this.lots[0]!)) this.pop();
    return this.lots[0];
  }

  pop(): void {
    const { lots } = this;
    const last = lots.pop()!;
    if (lots.length > 0) this.sink(last, 0);
  }

  /** Orders these lots anew, after their keys changed. */
  rebuild(lots: readonly OpenLot[]): void {
    this.lots = lots.filter((lot) => !this.isGone(lot));
    for (let at = (this.lots.length >> 1) - 1; at >= 0; at -= 1) this.sink(this.lots[at]!, at);
  }

  private sink(lot: OpenLot, from: number): void {
    const { lots } = this;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= lots.length) break;
      if (child + 1 < lots.length && this.precedes(lots[child + 1]!, lots[child]!)) child += 1;
      if (!this.precedes(lots[child]!, lot)) break;
      lots[at] = lots[child]!;
      at = child;
    }
    lots[at] = lot;
  }
}

function isEmpty({ quantity }: OpenLot): boolean {
  return quantity === 0n;
}
