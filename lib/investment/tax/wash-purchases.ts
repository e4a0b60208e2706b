import { compareText } from '#lib/core/compare-text.ts';
import { addDays } from '#lib/core/date.ts';
import type { Lot } from '../portfolios/lot.ts';
import type { AccountKind, PortfolioTerms } from '../portfolios/portfolio-event.ts';

/** Shares that replace what is sold at a loss on the as-of date. */
export type WashPurchase = {
  /** Null for a purchase outside of the workspace. */
  portfolio: string | null;
  /** The lot that the purchase formed; null where there is none here. */
  lot: string | null;
  /** The name of the purchase in an answer. */
  reference: string;
  symbol: string;
  on: string;
  /** Shares times 10^8 that are held and have replaced none yet. */
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
  /** Purchases that no portfolio holds, made or planned. Those outside of the window are left out. */
  others?: readonly WashPurchase[];
};

/**
 * Returns the purchases of a wash group that would replace shares sold on the as-of date, in the order of purchase:
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

/** The order of purchases: by date, then by symbol, portfolio, lot and reference in code units. */
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
