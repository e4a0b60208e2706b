import { matchPurchases, type Candidate, type Match, type MatchingOptions } from './harvest-matching.ts';
import type { WashPurchase } from './wash-purchases.ts';

/**
 * The policies for shares that a purchase replaces. Shares that are held back are not sold.
 *
 * - `avoid`: the replaced shares are held back.
 * - `skip`: a lot with any replaced share is held back completely.
 * - `allow`: all shares are sold, and the replaced part of the loss is disallowed.
 */
export const harvestPolicies = ['avoid', 'allow', 'skip'] as const;
export type HarvestPolicy = (typeof harvestPolicies)[number];

export type Selection<C extends Candidate> = {
  /** The number of shares to sell by candidate, in the order of sale; above 0. */
  sold: Map<C, bigint>;
  /** The matches of sold shares under `allow`, and of held-back shares under the other policies. */
  matches: Match<C>[];
  heldBack: Map<C, bigint>;
  /** Candidates for which `isWorth` returned false. */
  dropped: Set<C>;
};

export type SelectionRules<C extends Candidate> = MatchingOptions & {
  policy: HarvestPolicy;
  /** Whether a sale is worthwhile, given the number of shares to sell and, under `allow`, their matches. */
  isWorth(candidate: C, sold: bigint, matches: readonly Match<C>[]): boolean;
};

/** From this round on, lots are held back or dropped only as a whole, so that the selection ends soon. */
const ROUNDS_EXACT = 32;

/**
 * Selects the shares to sell of the candidates of one class. Held-back shares of a recent purchase can replace other
 * shares, and so can a lot that is not worth selling. The selection is therefore repeated until nothing changes. The
 * number of held-back shares and of dropped lots never decreases. If two recent purchases replace each other share by
 * share, this would take very many rounds. From round 32 on, recent purchases are therefore held back completely. If a
 * lot is not worth selling, all lots with a match are then dropped too.
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

/**
 * Increases the held-back shares of each matched lot: to the number of matched shares or, under `skip`, to the whole
 * lot. Returns whether any number changed.
 */
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
