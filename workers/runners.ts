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
import { runs, type RunKey } from '#lib/runs.ts';
import { loadAnomaly } from './generative/anomaly.ts';
import { loadModelScenarios } from './generative/model-scenarios.ts';
import { loadPaths } from './generative/paths.ts';
import { divideScenarios, loadScenarios } from './generative/scenarios.ts';
import { loadDriftAssessments, recordDriftAssessments } from './modeling/drift-assessments.ts';
import { loadEvaluations } from './modeling/evaluations.ts';
import { loadTrainings } from './modeling/trainings.ts';
import { loadMarginCalls } from './investment/margin-calls.ts';
import { loadValuationAdjustments } from './investment/valuation-adjustments.ts';
import { loadThemeFactors } from './investment/theme-factors.ts';
import { forecastScoring } from './planning/forecast-scoring.ts';
import { loadForecasts } from './planning/forecasts.ts';
import { loadResearchRuns } from './quant/research-runs.ts';
import { loadResearchSnapshots } from './quant/research-snapshots.ts';
import { loadEvidencePacks, recordEvidencePacks } from './trust/evidence-packs.ts';
import { advance } from './workflows/advance.ts';
import { startDue } from './workflows/start-due.ts';
import type { Divider, Kinds, Loader, Recorder } from './runner.ts';

/** How each kind of work reads its data. A declared job without an entry does not compile. */
export const loaders = {
  'investment.theme-factors': loadThemeFactors,
  'investment.margin-calls': loadMarginCalls,
  'investment.valuation-adjustments': loadValuationAdjustments,
  'quant.research-snapshots': loadResearchSnapshots,
  'quant.research-runs': loadResearchRuns,
  'generative.anomaly': loadAnomaly,
  'modeling.trainings': loadTrainings,
  'modeling.evaluations': loadEvaluations,
  'modeling.drift-assessments': loadDriftAssessments,
  'generative.scenarios': loadScenarios,
  'planning.forecasts': loadForecasts,
  'generative.paths': loadPaths,
  'generative.model-scenarios': loadModelScenarios,
  'trust.evidence-packs': loadEvidencePacks,
} satisfies { [Key in keyof typeof runs]: Loader<(typeof runs)[Key], unknown> };

/** What is written with the seal of a run, of the kinds that write anything beside it. */
export const recorders: { [Key in RunKey]?: Recorder<(typeof runs)[Key]> } = {
  'modeling.drift-assessments': recordDriftAssessments,
  'trust.evidence-packs': recordEvidencePacks,
};

/** Of the kinds whose large runs are divided among workers: how. Their computation has a `computePart`. */
export const dividers: { [Key in RunKey]?: Divider<(typeof runs)[Key]> } = {
  'generative.scenarios': divideScenarios,
  'generative.model-scenarios': divideScenarios,
};

/** Every declared job with its loader and recorder, whose types the maps above have checked. */
export const kinds: Kinds = Object.fromEntries(
  (Object.keys(runs) as RunKey[]).map((key) => [
    key,
    {
      job: runs[key],
      load: loaders[key] as never,
      record: recorders[key] as never,
      parts: dividers[key] as never,
    },
  ]),
);

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
