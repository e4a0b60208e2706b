import type { RunKey, runs } from '#lib/runs.ts';
import themeFactors from './investment/theme-factors.ts';
import marginCalls from './investment/margin-calls.ts';
import construction from './investment/construction.ts';
import taxHarvest from './investment/tax-harvest.ts';
import valuationAdjustments from './investment/valuation-adjustments.ts';
import riskReports from './investment/risk-reports.ts';
import portfolioScenarios from './investment/portfolio-scenarios.ts';
import backtests from './quant/backtests.ts';
import modelTournaments from './quant/model-tournaments.ts';
import tournamentRounds from './quant/tournament-rounds.ts';
import predictionRuns from './quant/prediction-runs.ts';
import statisticalRuns from './quant/statistical-runs.ts';
import optimizations from './quant/optimizations.ts';
import frontiers from './investment/frontiers.ts';
import researchSnapshots from './research/research-snapshots.ts';
import researchRuns from './research/research-runs.ts';
import simulations from './quant/simulations.ts';
import anomaly from './models/anomaly.ts';
import trainings from './models/trainings.ts';
import evaluations from './models/evaluations.ts';
import driftAssessments from './models/drift-assessments.ts';
import scenarios from './models/scenarios.ts';
import forecasts from './forecasting/forecasts.ts';
import reconciliations from './forecasting/reconciliations.ts';
import paths from './models/paths.ts';
import modelScenarios from './models/model-scenarios.ts';
import qlmEvaluations from './qlms/qlm-evaluations.ts';
import evidencePacks from './trust/evidence-packs.ts';
import type { Runner } from './process/runner.ts';

/** The code of every run. A declared run without a runner does not compile. */
export const runners = {
  'investment.theme-factors': themeFactors,
  'investment.margin-calls': marginCalls,
  'investment.valuation-adjustments': valuationAdjustments,
  'investment.tax-harvest': taxHarvest,
  'investment.construction': construction,
  'investment.risk-reports': riskReports,
  'investment.portfolio-scenarios': portfolioScenarios,
  'quant.backtests': backtests,
  'quant.model-tournaments': modelTournaments,
  'quant.optimizations': optimizations,
  'quant.frontiers': frontiers,
  'quant.tournament-rounds': tournamentRounds,
  'quant.prediction-runs': predictionRuns,
  'quant.statistical-runs': statisticalRuns,
  'quant.research-snapshots': researchSnapshots,
  'quant.research-runs': researchRuns,
  'quant.simulations': simulations,
  'generative.anomaly': anomaly,
  'modeling.trainings': trainings,
  'modeling.evaluations': evaluations,
  'modeling.drift-assessments': driftAssessments,
  'generative.scenarios': scenarios,
  'planning.forecasts': forecasts,
  'planning.reconciliations': reconciliations,
  'generative.paths': paths,
  'generative.model-scenarios': modelScenarios,
  'modeling.qlm-evaluations': qlmEvaluations,
  'trust.evidence-packs': evidencePacks,
} satisfies { [Key in RunKey]: Runner<(typeof runs)[Key]> };
