import type { Report } from './report.ts';

/**
 * Compares the contents of a golden file with the results of Assay's numerics. Data files are searched
 * relative to `path`.
 */
export type Check = (contents: string, path: string) => Report | Promise<Report>;

/**
 * The kinds of golden files. Each module is loaded on demand, so that one kind runs without the dependencies
 * of another.
 */
export const kinds: Readonly<Record<string, () => Promise<{ check: Check }>>> = {
  anomaly: () => import('./anomaly.ts'),
  backtests: () => import('./backtests.ts'),
  benchmark_suppression: () => import('./benchmark-suppression.ts'),
  collateral_margin: () => import('./collateral-margin.ts'),
  dm: () => import('./dm.ts'),
  drift_multivariate: () => import('./drift-multivariate.ts'),
  drift_univariate: () => import('./drift-univariate.ts'),
  entitlement_decisions: () => import('./entitlement-decisions.ts'),
  experiment: () => import('./experiment.ts'),
  factors: () => import('./factors.ts'),
  mcs: () => import('./mcs.ts'),
  prediction: () => import('./prediction.ts'),
  optimizer: () => import('./optimizer.ts'),
  overfitting: () => import('./overfitting.ts'),
  philox: () => import('./philox.ts'),
  portfolio_pypfopt: () => import('./portfolio-pypfopt.ts'),
  portfolio_riskfolio: () => import('./portfolio-riskfolio.ts'),
  portfolio_sp25: () => import('./portfolio-sp25.ts'),
  proof_of_value: () => import('./proof-of-value.ts'),
  qlm: () => import('./qlm/live.ts'),
  qlm_memory: () => import('./qlm.ts'),
  reconciliation: () => import('./reconciliation.ts'),
  regime: () => import('./regime.ts'),
  risk_metrics: () => import('./risk-metrics.ts'),
  scenario_e2e: () => import('./scenario-e2e.ts'),
  simulation: () => import('./simulation.ts'),
  tax_harvest: () => import('./tax-harvest.ts'),
  tax_lots: () => import('./tax-lots.ts'),
  tournament: () => import('./tournament.ts'),
  xva: () => import('./xva.ts'),
};
