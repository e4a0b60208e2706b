import { anomalyJob } from '#lib/generative/anomaly.job.ts';
import { modelScenariosJob } from '#lib/generative/model-scenarios.job.ts';
import { pathsJob } from '#lib/generative/paths.job.ts';
import { scenariosJob } from '#lib/generative/scenarios.job.ts';
import { driftAssessmentsJob } from '#lib/modeling/drift-assessments.job.ts';
import { evaluationsJob } from '#lib/modeling/evaluations.job.ts';
import { trainingsJob } from '#lib/modeling/trainings.job.ts';
import { marginCallsJob } from '#lib/investment/margin-calls.job.ts';
import { forecastsJob } from '#lib/planning/forecasts.job.ts';
import { researchRunsJob } from '#lib/quant/research-runs.job.ts';
import { researchSnapshotsJob } from '#lib/quant/research-snapshots.job.ts';
import { evidencePacksJob } from '#lib/trust/evidence-packs.job.ts';
import { themeFactorsJob } from '#lib/investment/theme-factors.job.ts';
import { valuationAdjustmentsJob } from '#lib/investment/valuation-adjustments.job.ts';

/** Every kind of heavy work. The API submits by it, the workers must have a runner for each entry. */
export const jobs = {
  [themeFactorsJob.key]: themeFactorsJob,
  [marginCallsJob.key]: marginCallsJob,
  [valuationAdjustmentsJob.key]: valuationAdjustmentsJob,
  [researchSnapshotsJob.key]: researchSnapshotsJob,
  [researchRunsJob.key]: researchRunsJob,
  [anomalyJob.key]: anomalyJob,
  [trainingsJob.key]: trainingsJob,
  [evaluationsJob.key]: evaluationsJob,
  [driftAssessmentsJob.key]: driftAssessmentsJob,
  [scenariosJob.key]: scenariosJob,
  [forecastsJob.key]: forecastsJob,
  [pathsJob.key]: pathsJob,
  [modelScenariosJob.key]: modelScenariosJob,
  [evidencePacksJob.key]: evidencePacksJob,
} as const;

export type JobKey = keyof typeof jobs;

export function isJobKey(key: string): key is JobKey {
  return Object.hasOwn(jobs, key);
}
