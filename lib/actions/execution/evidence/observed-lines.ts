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

/**
 * The role of a line. `moves`: the line reports a movement. `waits`: the settlement is pending. `fails`: the
 * settlement failed or was cancelled. `apart`: the line is not counted for this batch.
 */
export type LineRole = 'moves' | 'waits' | 'fails' | 'apart';

export type ReadLine = {
  from: ObservationFacts;
  line: ObservedLine;
  pairing: Pairing;
  mismatches: readonly IdentityMismatch[];
  /** Whether another observation of the batch already contains the same line. */
  isRepeated: boolean;
  /** Whether the line is already counted for another batch. */
  isCountedElsewhere: boolean;
  role: LineRole;
};

/** Returns every line of every observation with its pairing and its role. */
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
