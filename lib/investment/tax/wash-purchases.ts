import { compareText } from '#lib/core/compare-text.ts';
import { addDays } from '#lib/core/date.ts';
import type { Lot } from '../portfolios/lot.ts';
import type { AccountKind, PortfolioTerms } from '../portfolios/portfolio-event.ts';

/** A purchase whose shares would replace shares that are sold at a loss on the as-of date. */
export type WashPurchase = {
  /** The portfolio of the purchase; null for a purchase outside the workspace. */
  portfolio: string | null;
  /** The lot of the purchase; null if the workspace has no lot for it. */
  lot: string | null;
  /** The name of the purchase in the result. */
  reference: string;
  symbol: string;
  on: string;
  /** Number of held shares that have not replaced other shares yet, times 10^8. */
  quantity: bigint;
  accountKind: AccountKind;
};

export type WashPurchasesInput = {
  /** Open lots of all portfolios of the wash group, as known on the as-of date. */
  lots: Iterable<Lot>;
  portfolios: readonly PortfolioTerms[];
  washGroup: string;
  asOf: string;
  /** Calendar days before and after a sale. */
  days: number;
  /**
   * Other purchases, made or planned, whose shares no portfolio of the workspace holds. Purchases outside the
   * window are ignored.
   */
  others?: readonly WashPurchase[];
};

/**
 * Returns those purchases of a wash group that would replace shares sold on the as-of date, in the order of purchase:
 * open lots acquired in the window that have replaced no shares yet, and other purchases in the window.
 */
export function washPurchases(input: WashPurchasesInput): WashPurchase[] {
  const { lots, portfolios, washGroup, asOf, days, others = [] } = input;
  const members = new Map(
    portfolios.filter((each) => each.washGroup === washGroup).map((each) => [each.portfolio, each]),
  );
  const [first, last] = [addDays(asOf, -days), addDays(asOf, days)];
  const held = [...lots].flatMap((lot): WashPurchase[] => {
    const terms = members.get(lot.portfolio);
    if (!terms || lot.isReplacement || lot.acquiredOn < first || lot.acquiredOn > asOf) return [];
    const { portfolio, reference, symbol, quantity, acquiredOn: on } = lot;
    return [{ portfolio, lot: lot.lot, reference, symbol, on, quantity, accountKind: terms.accountKind }];
  });
  const near = others.filter(({ on }) => on >= first && on <= last);
  return [...held, ...near].toSorted(comparePurchases);
}

/**
 * Compares two purchases in the order of purchase: by date, then by symbol, portfolio, lot and reference in
 * code-unit order.
 */
export function comparePurchases(a: WashPurchase, b: WashPurchase): number {
  return (
    compareText(a.on, b.on) ||
    compareText(a.symbol, b.symbol) ||
    compareText(a.portfolio ?? '', b.portfolio ?? '') ||
    compareText(a.lot ?? '', b.lot ?? '') ||
    compareText(a.reference, b.reference) ||
    (a.quantity < b.quantity ? -1 : a.quantity > b.quantity ? 1 : 0)
  );
}
