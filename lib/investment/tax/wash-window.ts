import type { LedgerDisposal } from '../portfolios/ledger-disposal.ts';
import { lotNameOf, type OpenLot, type Purchase } from '../portfolios/lot.ts';
import { divideHalfEven, type Fraction } from '#lib/core/decimal.ts';

export type WashOptions = {
  /** Calendar days before and after a loss; 30 makes 61 days in all. */
  days: number;
  /** Whether the unsold rest of a purchase replaces what was sold of it (default false; Rev. Rul. 56-602). */
  sameLotIsReplacement: boolean;
  /** Whether shares bought before the shares that are sold replace them (default true). */
  earlierPurchasesReplace: boolean;
};

/** What a match does to the replacement shares. They leave `lot` for a slice of their own. */
export type Replacement = { quantity: bigint; addedBasis: bigint; holdingDay: number };
export type Replace = (lot: OpenLot, replacement: Replacement) => void;

/** A loss with shares that no purchase has replaced yet. */
type OpenLoss = {
  disposal: LedgerDisposal;
  purchase: Purchase;
  day: number;
  daysHeld: number;
  quantity: bigint;
  loss: bigint;
};

/**
 * The purchases and the losses of one class of identical securities in one wash group, in the order of time.
 *
 * Rules: a purchase within the days before or after a loss replaces sold shares, in the order of purchase, each share
 * once. The disallowed loss is added to the basis of the replacement, and the days that the sold shares were held to
 * its holding period. A replacement in a tax-exempt account receives neither. Parts of a loss are rounded down; the
 * last part takes the rest, so that the disallowed loss never exceeds the loss.
 *
 * Source: 26 U.S.C. 1091(a), (b), (d), 1223(3); 26 CFR 1.1091-1, 1.1091-2; Rev. Rul. 2008-5 for tax-exempt accounts.
 */
export class WashWindow {
  private readonly options: WashOptions;
  private readonly replace: Replace;
  private purchases: OpenLot[] = [];
  private losses: OpenLoss[] = [];

  constructor(options: WashOptions, replace: Replace) {
    this.options = options;
    this.replace = replace;
  }

  /** Registers a purchase, which first replaces shares of earlier losses. */
  buy(lot: OpenLot, day: number): void {
    if (this.losses.length > 0) this.replaceEarlier(lot, day);
    if (lot.quantity === 0n) return;
    const { purchases } = this;
    let at = purchases.length;
    while (at > 0 && purchases[at - 1]!.purchase.acquiredDay > lot.purchase.acquiredDay) at -= 1;
    if (at === purchases.length) purchases.push(lot);
    else purchases.splice(at, 0, lot);
  }

  /** Registers a loss. `sold` is the slice that was sold, `day` the day of the sale. */
  lose(disposal: LedgerDisposal, sold: OpenLot, day: number): void {
    const open: OpenLoss = {
      disposal,
      purchase: sold.purchase,
      day,
      daysHeld: day - sold.holdingDay,
      quantity: disposal.quantity,
      loss: -disposal.gainMinor,
    };
    const first = day - this.options.days;
    let kept = 0;
    const { purchases } = this;
    let at = 0;
    for (; at < purchases.length && open.quantity > 0n; at += 1) {
      const lot = purchases[at]!;
      if (lot.purchase.acquiredDay < first || lot.quantity === 0n) continue;
      if (this.replaces(lot, open)) this.match(open, lot);
      if (lot.quantity > 0n) purchases[kept++] = lot;
    }
    if (kept < at) purchases.splice(kept, at - kept);
    if (open.quantity > 0n) this.losses.push(open);
  }

  /** Restates the losses of a portfolio that wait for a replacement in shares after a split. */
  split({ numerator, denominator }: Fraction, isMeant: (disposal: LedgerDisposal) => boolean): void {
    for (const open of this.losses) {
      if (!isMeant(open.disposal)) continue;
      const quantity = divideHalfEven(open.quantity * numerator, denominator);
      open.quantity = quantity > 0n ? quantity : 1n;
    }
  }

  private replaceEarlier(lot: OpenLot, day: number): void {
    const { losses } = this;
    const { days } = this.options;
    let kept = 0;
    for (const open of losses) {
      if (open.day + days < day) continue;
      const isNear = Math.abs(lot.purchase.acquiredDay - open.day) <= days;
      if (lot.quantity > 0n && isNear && this.replaces(lot, open)) this.match(open, lot);
      if (open.quantity > 0n) losses[kept++] = open;
    }
    losses.length = kept;
  }

  private replaces(lot: OpenLot, { purchase }: OpenLoss): boolean {
    if (lot.purchase === purchase) return this.options.sameLotIsReplacement;
    return this.options.earlierPurchasesReplace || lot.purchase.acquiredDay >= purchase.acquiredDay;
  }

  private match(open: OpenLoss, lot: OpenLot): void {
    const quantity = open.quantity < lot.quantity ? open.quantity : lot.quantity;
    const part = quantity === open.quantity ? open.loss : (open.loss * quantity) / open.quantity;
    const isLost = lot.purchase.terms.accountKind === 'tax_exempt';
    const { disposal } = open;
    disposal.addMatch({
      portfolio: lot.purchase.terms.portfolio,
      lot: lotNameOf(lot.purchase),
      quantity,
      disallowedMinor: part,
      isLost,
    });
    open.quantity -= quantity;
    open.loss -= part;
    this.replace(lot, {
      quantity,
      addedBasis: isLost ? 0n : part,
      holdingDay: isLost ? lot.holdingDay : lot.purchase.acquiredDay - open.daysHeld,
    });
  }
}
