import { anomalyRun } from '#lib/models/anomaly/anomaly.run.ts';
import { modelScenariosRun } from '#lib/models/scenarios/model-scenarios.run.ts';
import { pathsRun } from '#lib/models/scenarios/paths.run.ts';
import { scenariosRun } from '#lib/models/scenarios/scenarios.run.ts';
import { driftAssessmentsRun } from '#lib/models/drift/drift-assessments.run.ts';
import { evaluationsRun } from '#lib/models/training/evaluations.run.ts';
import { trainingsRun } from '#lib/models/training/trainings.run.ts';
import { constructionRun } from '#lib/investment/construction/construction.run.ts';
import { taxHarvestRun } from '#lib/investment/tax/tax-harvest.run.ts';
import { marginCallsRun } from '#lib/investment/collateral/margin-calls.run.ts';
import { forecastsRun } from '#lib/forecasting/forecasts.run.ts';
import { reconciliationsRun } from '#lib/forecasting/reconciliation/reconciliations.run.ts';
import { simulationsRun } from '#lib/quant/simulations/simulations.run.ts';
import { researchRunsRun } from '#lib/research/research-runs.run.ts';
import { researchSnapshotsRun } from '#lib/research/research-snapshots.run.ts';
import { qlmEvaluationsRun } from '#lib/qlms/evaluation/qlm-evaluations.run.ts';
import { evidencePacksRun } from '#lib/trust/evidence-packs.run.ts';
import { themeFactorsRun } from '#lib/investment/theme-factors/theme-factors.run.ts';
import { portfolioScenariosRun } from '#lib/investment/portfolio-scenarios/portfolio-scenarios.run.ts';
import { backtestsRun } from '#lib/quant/backtests/backtests.run.ts';
import { modelTournamentsRun } from '#lib/quant/tournaments/model-tournaments.run.ts';
import { tournamentRoundsRun } from '#lib/quant/tournaments/rounds/tournament-rounds.run.ts';
import { predictionRunsRun } from '#lib/quant/models/prediction-runs.run.ts';
import { statisticalRunsRun } from '#lib/quant/models/statistical-runs.run.ts';
import { frontiersRun } from '#lib/investment/frontiers/frontiers.run.ts';
import { optimizationsRun } from '#lib/quant/optimizations/optimizations.run.ts';
import { riskReportsRun } from '#lib/investment/risk/risk-reports.run.ts';
import { valuationAdjustmentsRun } from '#lib/investment/collateral/valuation-adjustments.run.ts';

/**
 * Every kind of heavy work, by its key. The API accepts submissions of these kinds, and the workers must have a runner
 * for each kind.
 */
export const runs = {
  [themeFactorsRun.key]: themeFactorsRun,
  [marginCallsRun.key]: marginCallsRun,
  [valuationAdjustmentsRun.key]: valuationAdjustmentsRun,
  [taxHarvestRun.key]: taxHarvestRun,
  [constructionRun.key]: constructionRun,
  [riskReportsRun.key]: riskReportsRun,
  [portfolioScenariosRun.key]: portfolioScenariosRun,
  [backtestsRun.key]: backtestsRun,
  [optimizationsRun.key]: optimizationsRun,
  [frontiersRun.key]: frontiersRun,
  [modelTournamentsRun.key]: modelTournamentsRun,
  [tournamentRoundsRun.key]: tournamentRoundsRun,
  [predictionRunsRun.key]: predictionRunsRun,
  [statisticalRunsRun.key]: statisticalRunsRun,
  [researchSnapshotsRun.key]: researchSnapshotsRun,
  [researchRunsRun.key]: researchRunsRun,
  [simulationsRun.key]: simulationsRun,
  [anomalyRun.key]: anomalyRun,
  [trainingsRun.key]: trainingsRun,
  [evaluationsRun.key]: evaluationsRun,
  [driftAssessmentsRun.key]: driftAssessmentsRun,
  [scenariosRun.key]: scenariosRun,
  [forecastsRun.key]: forecastsRun,
  [reconciliationsRun.key]: reconciliationsRun,
  [pathsRun.key]: pathsRun,
  [modelScenariosRun.key]: modelScenariosRun,
  [qlmEvaluationsRun.key]: qlmEvaluationsRun,
  [evidencePacksRun.key]: evidencePacksRun,
} as const;

export type RunKey = keyof typeof runs;

export function isRunKey(key: string): key is RunKey {
  return Object.hasOwn(runs, key);
}
