import { matchPurchases, type Candidate, type Match, type MatchingOptions } from './harvest-matching.ts';
import type { WashPurchase } from './wash-purchases.ts';

/**
 * - `avoid`: shares that a purchase replaces are held back.
 * - `skip`: a lot of which a purchase replaces any share is held back whole.
 * - `allow`: all shares are sold, and the replaced part of the loss is disallowed.
 */
export const harvestPolicies = ['avoid', 'allow', 'skip'] as const;
export type HarvestPolicy = (typeof harvestPolicies)[number];

export type Selection<C extends Candidate> = {
  /** Shares to sell by candidate, in the order of sale; above 0. */
  sold: Map<C, bigint>;
  /** The matches of sold shares under `allow`, and of held-back shares under the other policies. */
  matches: Match<C>[];
  heldBack: Map<C, bigint>;
  /** Candidates that `isWorth` refused. */
  dropped: Set<C>;
};

export type SelectionRules<C extends Candidate> = MatchingOptions & {
  policy: HarvestPolicy;
  /** Decides about a candidate with the shares to sell and, under `allow`, their matches. */
  isWorth(candidate: C, sold: bigint, matches: readonly Match<C>[]): boolean;
};

/** After so many rounds the choice takes whole lots, which ends it soon. */
const ROUNDS_EXACT = 32;

/**
 * Chooses the shares to sell of the candidates of one class. Shares of a recent purchase that are held back replace
 * others again, and a lot that is not worth selling stays as a replacement, so the choice is repeated until nothing
 * changes. Shares held back and lots dropped only grow. Two recent purchases that replace each other share by share
 * would take very many rounds: after 32 rounds, recent purchases are held back whole, and a lot with any match is
 * dropped together with one that is not worth selling.
 */
export function selectSales<C extends Candidate>(
  candidates: readonly C[],
  purchases: readonly WashPurchase[],
  rules: SelectionRules<C>,
): Selection<C> {
  const isAllowed = rules.policy === 'allow';
  const dropped = new Set<C>();
  const heldBack = new Map<C, bigint>();
  for (let round = 1; ; round += 1) {
    if (round === ROUNDS_EXACT && !isAllowed) holdRecent(candidates, purchases, heldBack);
    const offered = candidates.filter((each) => !dropped.has(each));
    const sold = new Map(offered.map((each) => [each, each.quantity - (heldBack.get(each) ?? 0n)]));
    const matches = matchPurchases(offered, purchases, sold, rules);
    if (!isAllowed && holdBack(matches, rules.policy, heldBack)) continue;
    const byCandidate = Map.groupBy(matches, ({ candidate }) => candidate);
    const poor = offered.filter((each) => {
      const quantity = sold.get(each)!;
      const washed = isAllowed ? (byCandidate.get(each) ?? []) : [];
      return quantity > 0n && !rules.isWorth(each, quantity, washed);
    });
    if (poor.length === 0) {
      for (const [candidate, quantity] of sold) if (quantity === 0n) sold.delete(candidate);
      return { sold, matches, heldBack, dropped };
    }
    const leaving = round < ROUNDS_EXACT ? poor : [...poor, ...byCandidate.keys()];
    for (const each of leaving) {
      dropped.add(each);
      heldBack.delete(each);
    }
  }
}

/** Raises the shares that are held back to those matched. Returns whether any changed. */
function holdBack<C extends Candidate>(
  matches: readonly Match<C>[],
  policy: HarvestPolicy,
  heldBack: Map<C, bigint>,
): boolean {
  const matched = new Map<C, bigint>();
  for (const { candidate, quantity } of matches) {
    const before = matched.get(candidate) ?? 0n;
    matched.set(candidate, policy === 'skip' ? candidate.quantity : before + quantity);
  }
  let isChanged = false;
  for (const [candidate, quantity] of matched) {
    if (quantity <= (heldBack.get(candidate) ?? 0n)) continue;
    heldBack.set(candidate, quantity);
    isChanged = true;
  }
  return isChanged;
}

function holdRecent<C extends Candidate>(
  candidates: readonly C[],
  purchases: readonly WashPurchase[],
  heldBack: Map<C, bigint>,
): void {
  const recent = new Set(purchases.map(({ portfolio, lot }) => `${portfolio} ${lot}`));
  for (const each of candidates) {
    if (recent.has(`${each.portfolio} ${each.lot}`)) heldBack.set(each, each.quantity);
  }
}
