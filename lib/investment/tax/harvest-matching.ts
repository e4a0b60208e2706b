import type { WashPurchase } from './wash-purchases.ts';

/** A lot at a loss that may be sold. Quantities are shares times 10^8. */
export type Candidate = {
  portfolio: string;
  lot: string;
  slice: number;
  acquiredOn: string;
  quantity: bigint;
  isReplacement: boolean;
};

export type Match<C extends Candidate> = { candidate: C; purchase: WashPurchase; quantity: bigint };

export type MatchingOptions = {
  sameLotIsReplacement: boolean;
  earlierPurchasesReplace: boolean;
};

/**
 * Matches shares to sell on one day with the purchases that replace them. Shares of a purchase that are sold
 * on the same day replace no other shares. `sold` has the number of sold shares by candidate.
 *
 * `candidates` are in the order of sale and `purchases` in the order of purchase, both of one class of
 * identical securities. Each share of a purchase replaces one share.
 * Source: 26 CFR 1.1091-1(b) to (d).
 */
export function matchPurchases<C extends Candidate>(
  candidates: readonly C[],
  purchases: readonly WashPurchase[],
  sold: ReadonlyMap<C, bigint>,
  options: MatchingOptions,
): Match<C>[] {
  const leaving = new Map<string, bigint>();
  for (const [candidate, quantity] of sold) {
    if (candidate.isReplacement) continue;
    const key = keyOf(candidate.portfolio, candidate.lot);
    leaving.set(key, (leaving.get(key) ?? 0n) + quantity);
  }
  const left = purchases.map((purchase) => {
    if (purchase.portfolio === null || purchase.lot === null) return purchase.quantity;
    const key = keyOf(purchase.portfolio, purchase.lot);
    const gone = smaller(leaving.get(key) ?? 0n, purchase.quantity);
    leaving.set(key, (leaving.get(key) ?? 0n) - gone);
    return purchase.quantity - gone;
  });
  const matches: Match<C>[] = [];
  let first = 0;
  for (const candidate of candidates) {
    let open = candidate.quantity;
    while (first < left.length && left[first] === 0n) first += 1;
    for (let at = first; at < left.length && open > 0n; at += 1) {
      const purchase = purchases[at]!;
      if (left[at] === 0n || !replaces(purchase, candidate, options)) continue;
      const quantity = smaller(open, left[at]!);
      left[at]! -= quantity;
      open -= quantity;
      matches.push({ candidate, purchase, quantity });
    }
  }
  return matches;
}

function replaces(purchase: WashPurchase, candidate: Candidate, options: MatchingOptions): boolean {
  if (purchase.lot === candidate.lot && purchase.portfolio === candidate.portfolio)
    return options.sameLotIsReplacement;
  return options.earlierPurchasesReplace || purchase.on >= candidate.acquiredOn;
}

function keyOf(portfolio: string, lot: string): string {
  return `${portfolio} ${lot}`;
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
