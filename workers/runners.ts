import type { RunKey, runs } from '#lib/runs.ts';
import type { LoadRunner } from './process/runner.ts';

/**
 * The code of every run, which a worker loads before the first run of the kind. A declared run without a runner does not
 * compile.
 */
export const runners = {
  'investment.theme-factors': () => import('./investment/theme-factors.ts'),
  'investment.margin-calls': () => import('./investment/margin-calls.ts'),
  'investment.valuation-adjustments': () => import('./investment/valuation-adjustments.ts'),
  'investment.tax-harvest': () => import('./investment/tax-harvest.ts'),
  'investment.construction': () => import('./investment/construction.ts'),
  'investment.risk-reports': () => import('./investment/risk-reports.ts'),
  'investment.portfolio-scenarios': () => import('./investment/portfolio-scenarios.ts'),
  'quant.backtests': () => import('./quant/backtests.ts'),
  'quant.model-tournaments': () => import('./quant/model-tournaments.ts'),
  'quant.optimizations': () => import('./quant/optimizations.ts'),
  'quant.frontiers': () => import('./investment/frontiers.ts'),
  'quant.tournament-rounds': () => import('./quant/tournament-rounds.ts'),
  'quant.prediction-runs': () => import('./quant/prediction-runs.ts'),
  'quant.statistical-runs': () => import('./quant/statistical-runs.ts'),
  'quant.research-snapshots': () => import('./research/research-snapshots.ts'),
  'quant.research-runs': () => import('./research/research-runs.ts'),
  'quant.simulations': () => import('./quant/simulations.ts'),
  'generative.anomaly': () => import('./models/anomaly.ts'),
  'modeling.trainings': () => import('./models/trainings.ts'),
  'modeling.evaluations': () => import('./models/evaluations.ts'),
  'modeling.drift-assessments': () => import('./models/drift-assessments.ts'),
  'generative.scenarios': () => import('./models/scenarios.ts'),
  'planning.forecasts': () => import('./forecasting/forecasts.ts'),
  'planning.reconciliations': () => import('./forecasting/reconciliations.ts'),
  'generative.paths': () => import('./models/paths.ts'),
  'generative.model-scenarios': () => import('./models/model-scenarios.ts'),
  'modeling.qlm-evaluations': () => import('./qlms/qlm-evaluations.ts'),
  'trust.evidence-packs': () => import('./trust/evidence-packs.ts'),
} satisfies { [Key in RunKey]: LoadRunner<(typeof runs)[Key]> };
