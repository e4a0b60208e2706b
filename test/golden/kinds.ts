import type { Report } from './report.ts';

/** Compares the contents of a golden file with what our numerics give; `path` is where data files are looked for. */
export type Check = (contents: string, path: string) => Report;

/** The kinds of golden files. Each is loaded when asked for, so that one runs without what another needs. */
export const kinds: Readonly<Record<string, () => Promise<{ check: Check }>>> = {
  anomaly: () => import('./anomaly.ts'),
  collateral_margin: () => import('./collateral-margin.ts'),
  dm: () => import('./dm.ts'),
  drift_multivariate: () => import('./drift-multivariate.ts'),
  drift_univariate: () => import('./drift-univariate.ts'),
  experiment: () => import('./experiment.ts'),
  factors: () => import('./factors.ts'),
  mcs: () => import('./mcs.ts'),
  prediction: () => import('./prediction.ts'),
  philox: () => import('./philox.ts'),
  regime: () => import('./regime.ts'),
  scenario_e2e: () => import('./scenario-e2e.ts'),
  xva: () => import('./xva.ts'),
};
