import type { Orm } from '#lib/database/base.ts';
import type { PeriodicKey } from '#lib/pipeline/periodic.ts';
import { buildExports } from './infrastructure/build-exports.ts';
import { closeUsage } from './infrastructure/close-usage.ts';
import { measureStorage } from './infrastructure/measure-storage.ts';
import { infrastructureUpkeep } from './infrastructure/upkeep.ts';
import { placeAuditEntries } from './periodic/place-audit-entries.ts';
import { expireDelegations } from './periodic/expire-delegations.ts';
import { keepPartitions } from './periodic/keep-partitions.ts';
import { forgetAgentInvocations } from './periodic/forget-agent-invocations.ts';
import { forgetEvents } from './periodic/forget-events.ts';
import { forgetQuestions } from './qlms/forget-questions.ts';
import { forgetAccess } from './periodic/forget-access.ts';
import { publishBenchmarks } from './benchmarking/publish-cells.ts';
import { checkListings } from './marketplace/check-listings.ts';
import { pruneIdempotencyKeys } from './periodic/prune-idempotency-keys.ts';
import { raiseMissingObservations } from './periodic/raise-missing-observations.ts';
import { sealValueSnapshots } from './periodic/seal-value-snapshots.ts';
import { takeLedgerSnapshots } from './periodic/take-ledger-snapshots.ts';
import { featureMaterialisation } from './research/feature-materialisation.ts';
import { forecastScoring } from './forecasting/forecast-scoring.ts';
import { advanceTournaments } from './quant/advance-tournaments.ts';
import { advance } from './workflows/advance.ts';
import { decideProofs } from './workflows/decide-proofs.ts';
import { startDue } from './workflows/start-due.ts';

/**
 * The periodic work of the io worker that needs only the database. The work for webhooks and AI providers
 * needs further services and is opened separately.
 */
export const housekeeping: Record<
  Exclude<PeriodicKey, 'maintenance.deliver-webhooks' | 'intelligence.summary-wording'>,
  (orm: Orm) => Promise<unknown>
> = {
  'maintenance.place-audit-entries': placeAuditEntries,
  'maintenance.prune-idempotency-keys': pruneIdempotencyKeys,
  'maintenance.expire-delegations': expireDelegations,
  'maintenance.raise-missing-observations': raiseMissingObservations,
  'maintenance.take-ledger-snapshots': takeLedgerSnapshots,
  'maintenance.seal-value-snapshots': (orm) => sealValueSnapshots(orm),
  'maintenance.forget-access': forgetAccess,
  'maintenance.keep-partitions': keepPartitions,
  'maintenance.forget-events': forgetEvents,
  'maintenance.forget-agent-invocations': (orm) => forgetAgentInvocations(orm),
  'maintenance.forget-questions': (orm) => forgetQuestions(orm),
  'infrastructure.upkeep': (orm) => infrastructureUpkeep(orm),
  'infrastructure.build-exports': (orm) => buildExports(orm),
  'infrastructure.close-usage': (orm) => closeUsage(orm),
  'infrastructure.measure-storage': (orm) => measureStorage(orm),
  'planning.forecast-scoring': (orm) => forecastScoring(orm),
  'quant.feature-materialisation': (orm) => featureMaterialisation(orm),
  'benchmarking.publish-cells': (orm) => publishBenchmarks(orm),
  'marketplace.check-listings': (orm) => checkListings(orm),
  'quant.advance-tournaments': (orm) => advanceTournaments(orm),
  'workflows.advance': (orm) => advance(orm),
  'workflows.start-due': (orm) => startDue(orm),
  'workflows.decide-proofs': (orm) => decideProofs(orm),
};
