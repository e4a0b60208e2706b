/**
 * Periodic housekeeping jobs on the io queue. These jobs have no record, because a missed job has no lasting effect.
 */
export const periodic = {
  'infrastructure.upkeep': { everyMs: 900_000 },
  'infrastructure.build-exports': { everyMs: 5_000 },
  'infrastructure.close-usage': { everyMs: 3_600_000 },
  'infrastructure.measure-storage': { everyMs: 3_600_000 },
  'maintenance.place-audit-entries': { everyMs: 1_000 },
  'maintenance.prune-idempotency-keys': { everyMs: 3_600_000 },
  'maintenance.expire-delegations': { everyMs: 60_000 },
  'maintenance.raise-missing-observations': { everyMs: 900_000 },
  'maintenance.take-ledger-snapshots': { everyMs: 900_000 },
  'maintenance.seal-value-snapshots': { everyMs: 3_600_000 },
  'maintenance.forget-access': { everyMs: 600_000 },
  'maintenance.keep-partitions': { everyMs: 3_600_000 },
  'maintenance.deliver-webhooks': { everyMs: 1_000 },
  'maintenance.forget-events': { everyMs: 3_600_000 },
  'maintenance.forget-agent-invocations': { everyMs: 3_600_000 },
  'maintenance.forget-questions': { everyMs: 3_600_000 },
  'planning.forecast-scoring': { everyMs: 900_000 },
  'intelligence.summary-wording': { everyMs: 60_000 },
  'quant.feature-materialisation': { everyMs: 60_000 },
  'benchmarking.publish-cells': { everyMs: 3_600_000 },
  'marketplace.check-listings': { everyMs: 300_000 },
  'quant.advance-tournaments': { everyMs: 60_000 },
  'workflows.advance': { everyMs: 1_000 },
  'workflows.start-due': { everyMs: 1_000 },
  'workflows.decide-proofs': { everyMs: 60_000 },
} as const;

export type PeriodicKey = keyof typeof periodic;

export function isPeriodicKey(key: string): key is PeriodicKey {
  return Object.hasOwn(periodic, key);
}
