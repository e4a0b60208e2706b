import { mismatchesOf, ordersByHash, pairLine, type IdentityMismatch, type Pairing } from './pairing.ts';
import type { ObservationFacts, ObservedLine, SettlementFacts } from './settlement-facts.ts';

/** What a line counts as: a movement, a word about an order without one, or nothing of this batch. */
export type LineRole = 'moves' | 'waits' | 'fails' | 'apart';

export type ReadLine = {
  from: ObservationFacts;
  line: ObservedLine;
  pairing: Pairing;
  mismatches: readonly IdentityMismatch[];
  role: LineRole;
};

/** A name for an observation that does not depend on when it came. */
export function observationKey({ custodian, reference }: ObservationFacts): string {
  return `${custodian}/${reference}`;
}

/** Every line of every observation with its pairing, and what it counts as. */
export function readLines({ orders, observations }: SettlementFacts): ReadLine[] {
  const repeated = duplicatesOf(observations);
  const byHash = ordersByHash(orders);
  return observations.flatMap((from) =>
    from.lines.map((line) => {
      const pairing = pairLine(line, from.account, orders, byHash);
      const mismatches = pairing.order ? mismatchesOf(line, from.account, pairing.order) : [];
      const isApart =
        from.isEarly || repeated.has(observationKey(from)) || !pairing.order || mismatches.length;
      return { from, line, pairing, mismatches, role: isApart ? 'apart' : roles[from.status] };
    }),
  );
}

const roles: Readonly<Record<ObservationFacts['status'], LineRole>> = {
  settled: 'moves',
  partially_settled: 'moves',
  pending: 'waits',
  failed: 'fails',
  cancelled: 'fails',
};

/** Whether an observation of this status says that something moved. */
export function isMovement(status: ObservationFacts['status']): boolean {
  return roles[status] === 'moves';
}

/** Of observations that say the same of the same instant from the same source, all but the first by reference. */
export function duplicatesOf(observations: readonly ObservationFacts[]): Set<string> {
  const counted = observations.filter(({ isEarly }) => !isEarly);
  const groups = [...Map.groupBy(counted, ({ contentHash }) => contentHash).values()];
  return new Set(
    groups.flatMap((group) =>
      group
        .map(observationKey)
        .toSorted((a, b) => (a < b ? -1 : 1))
        .slice(1),
    ),
  );
}
