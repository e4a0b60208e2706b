import { divideHalfEven, type Fraction } from '#lib/core/decimal.ts';
import type { LotStore } from '../portfolios/lot-store.ts';

export type WashOptions = {
  /** Number of calendar days before and after a loss. 30 gives a window of 61 days. */
  days: number;
  /**
   * Whether the unsold shares of a purchase can replace sold shares of the same purchase. Default: false
   * (Rev. Rul. 56-602).
   */
  sameLotIsReplacement: boolean;
  /** Whether shares that were bought before the sold shares can replace them. Default: true. */
  earlierPurchasesReplace: boolean;
  /**
   * Whether a purchase in another currency replaces sold shares. The disallowed loss is then added to a basis in another
   * currency without conversion. Only runs that were sealed before closes had a currency need this. Default: false.
   */
  acrossCurrencies: boolean;
};

/** The effect of a match on the replacement shares, which become a separate slice. */
export type Replacement = { addedBasis: bigint; holdingDay: number };
export type Replace = (slice: number, quantity: bigint, replacement: Replacement) => void;

/** A loss with sold shares that no purchase has replaced yet. */
type OpenLoss = {
  disposal: number;
  purchase: number;
  day: number;
  daysHeld: number;
  quantity: bigint;
  loss: bigint;
};

/**
 * The purchases and the losses of one class of identical securities in one wash group and one currency, in the order of
 * time.
 * Slices, purchases and disposals are rows of the store.
 *
 * Rules: purchases within the days before or after a loss replace sold shares, in the order of purchase. Each purchased
 * share replaces at most one sold share. The disallowed loss is added to the basis of the replacement shares, and the
 * days for which the sold shares were held are added to the holding period of the replacement shares. Neither is added
 * to replacement shares in a tax-exempt account. Parts of a loss are rounded down, and the last part gets the rest, so
 * that the disallowed loss never exceeds the loss.
 *
 * Source: 26 U.S.C. 1091(a), (b), (d), 1223(3); 26 CFR 1.1091-1, 1.1091-2; Rev. Rul. 2008-5 for tax-exempt
 * accounts.
 */
export class WashWindow {
  private readonly options: WashOptions;
  private readonly store: LotStore;
  private readonly replace: Replace;
  /** Slices that have replaced no shares, by date of purchase. */
  private readonly slices: number[] = [];
  private readonly losses: OpenLoss[] = [];

  constructor(options: WashOptions, store: LotStore, replace: Replace) {
    this.options = options;
    this.store = store;
    this.replace = replace;
  }

  /** Adds a purchase. Its shares first replace sold shares of earlier losses. */
  buy(slice: number, day: number): void {
    if (this.losses.length > 0) this.replaceEarlier(slice, day);
    if (this.store.quantities.values[slice] === 0n) return;
    const { slices } = this;
    const acquired = this.acquiredDay(slice);
    let at = slices.length;
    while (at > 0 && this.acquiredDay(slices[at - 1]!) > acquired) at -= 1;
    if (at === slices.length) slices.push(slice);
    else slices.splice(at, 0, slice);
  }

  /** Adds the loss of a disposal on a day, and matches it with earlier purchases in the window. */
  lose(disposal: number, day: number): void {
    const { store, slices } = this;
    const sold = store.soldSlices.values[disposal]!;
    const open: OpenLoss = {
      disposal,
      purchase: store.purchases.values[sold]!,
      day,
      daysHeld: day - store.holdingDays.values[sold]!,
      quantity: store.soldQuantities.values[disposal]!,
      loss: store.soldBases.values[disposal]! - store.proceeds.values[disposal]!,
    };
    const first = day - this.options.days;
    let kept = 0;
    let at = 0;
    for (; at < slices.length && open.quantity > 0n; at += 1) {
      const slice = slices[at]!;
      if (this.acquiredDay(slice) < first || store.quantities.values[slice] === 0n) continue;
      if (this.replaces(slice, open)) this.match(open, slice);
      if (store.quantities.values[slice] !== 0n) slices[kept++] = slice;
    }
    if (kept < at) slices.splice(kept, at - kept);
    if (open.quantity > 0n) this.losses.push(open);
  }

  /** After a split, converts the numbers of sold shares that no purchase has replaced yet. */
  split({ numerator, denominator }: Fraction, isMeant: (disposal: number) => boolean): void {
    for (const open of this.losses) {
      if (!isMeant(open.disposal)) continue;
      const quantity = divideHalfEven(open.quantity * numerator, denominator);
      open.quantity = quantity > 0n ? quantity : 1n;
    }
  }

  private replaceEarlier(slice: number, day: number): void {
    const { losses } = this;
    const { days } = this.options;
    const acquired = this.acquiredDay(slice);
    let kept = 0;
    for (const open of losses) {
      if (open.day + days < day) continue;
      const isLeft = this.store.quantities.values[slice] !== 0n;
      if (isLeft && Math.abs(acquired - open.day) <= days && this.replaces(slice, open))
        this.match(open, slice);
      if (open.quantity > 0n) losses[kept++] = open;
    }
    losses.length = kept;
  }

  private replaces(slice: number, { purchase }: OpenLoss): boolean {
    const { sameLotIsReplacement, earlierPurchasesReplace } = this.options;
    if (this.store.purchases.values[slice] === purchase) return sameLotIsReplacement;
    return earlierPurchasesReplace || this.acquiredDay(slice) >= this.store.acquiredDays.values[purchase]!;
  }

  private match(open: OpenLoss, slice: number): void {
    const { store } = this;
    const held = store.quantities.values[slice]!;
    const quantity = open.quantity < held ? open.quantity : held;
    const part = quantity === open.quantity ? open.loss : (open.loss * quantity) / open.quantity;
    const purchase = store.purchases.values[slice]!;
    const isLost = store.termsOf(purchase).accountKind === 'tax_exempt';
    store.addMatch(open.disposal, purchase, quantity, part);
    open.quantity -= quantity;
    open.loss -= part;
    this.replace(slice, quantity, {
      addedBasis: isLost ? 0n : part,
      holdingDay: isLost ? store.holdingDays.values[slice]! : this.acquiredDay(slice) - open.daysHeld,
    });
  }

  private acquiredDay(slice: number): number {
    return this.store.acquiredDays.values[this.store.purchases.values[slice]!]!;
  }
}
