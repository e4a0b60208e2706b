import {
  mismatchesOf,
  ordersByHash,
  pairLine,
  type IdentityMismatch,
  type Pairing,
} from '../reconciliation/pairing.ts';
import { lineKey, repeatedLines } from '../reconciliation/repeated-lines.ts';
import {
  statusRoles,
  type ObservationFacts,
  type ObservedLine,
  type SettlementFacts,
} from '../reconciliation/settlement-facts.ts';

/** What a line counts as: a movement, a word about an order without one, or nothing of this batch. */
export type LineRole = 'moves' | 'waits' | 'fails' | 'apart';

export type ReadLine = {
  from: ObservationFacts;
  line: ObservedLine;
  pairing: Pairing;
  mismatches: readonly IdentityMismatch[];
  /** Another observation of the batch says it already. */
  isRepeated: boolean;
  /** Another batch counts it already. */
  isCountedElsewhere: boolean;
  role: LineRole;
};

/** Every line of every observation with its pairing, and what it counts as. */
export function readLines({ orders, observations }: SettlementFacts): ReadLine[] {
  const repeated = repeatedLines(observations);
  const byHash = ordersByHash(orders);
  return observations.flatMap((from) =>
    from.lines.map((line) => {
      const pairing = pairLine(line, from.account, orders, byHash);
      const mismatches = pairing.order ? mismatchesOf(line, from.account, pairing.order) : [];
      const isRepeated = repeated.has(lineKey(from, line));
      const isCountedElsewhere = from.countedElsewhere.includes(line.reference);
      const isApart = from.isEarly || isRepeated || isCountedElsewhere || !pairing.order || mismatches.length;
      const role = isApart ? 'apart' : statusRoles[from.status];
      return { from, line, pairing, mismatches, isRepeated, isCountedElsewhere, role };
    }),
  );
}
