import type { Orm } from '#lib/database/base.ts';
import type { PeriodicKey } from '#lib/pipeline/periodic.ts';
import { placeAuditEntries } from './maintenance/place-audit-entries.ts';
import { expireDelegations } from './maintenance/expire-delegations.ts';
import { keepPartitions } from './maintenance/keep-partitions.ts';
import { forgetAgentInvocations } from './maintenance/forget-agent-invocations.ts';
import { forgetEvents } from './maintenance/forget-events.ts';
import { forgetAccess } from './maintenance/forget-access.ts';
import { pruneIdempotencyKeys } from './maintenance/prune-idempotency-keys.ts';
import { raiseMissingObservations } from './maintenance/raise-missing-observations.ts';
import { sealValueSnapshots } from './maintenance/seal-value-snapshots.ts';
import { takeLedgerSnapshots } from './maintenance/take-ledger-snapshots.ts';
import { featureMaterialisation } from './quant/feature-materialisation.ts';
import { forecastScoring } from './planning/forecast-scoring.ts';
import { advance } from './workflows/advance.ts';
import { startDue } from './workflows/start-due.ts';

/** What the io worker does by the clock; what goes to webhooks and AI providers needs more than the database. */
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
  'planning.forecast-scoring': (orm) => forecastScoring(orm),
  'quant.feature-materialisation': (orm) => featureMaterialisation(orm),
  'workflows.advance': (orm) => advance(orm),
  'workflows.start-due': (orm) => startDue(orm),
};
