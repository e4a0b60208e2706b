/** The largest portfolio that a request computes at once. A larger one needs a run. */
export const RISK_LIMITS = { positions: 500, days: 2_520 } as const;

/** The run that computes the risk of a portfolio above `RISK_LIMITS`. */
export const RISK_RUN = 'POST /investment/risk-reports';

/** Periods a year, the default window, and the fewest returns that a figure is computed from. */
export const FREQUENCIES = {
  daily: { periodsPerYear: 252, window: 252, observationsMin: 60 },
  monthly: { periodsPerYear: 12, window: 60, observationsMin: 24 },
} as const;
export type Frequency = keyof typeof FREQUENCIES;

/** Rows without a price that are bridged by the price next to them. */
export const ROWS_FILLED_MAX = 5;

/** The share of the value without price history above which nothing is computed. */
export const SHARE_WITHOUT_HISTORY_MAX = 0.2;

/** Returns that the value at risk is tested on, at most and at least. */
export const BACKTEST = { most: 250, least: 50 } as const;

/** Decay of the exponentially weighted volatility, as in RiskMetrics (1996). */
export const DECAY = 0.94;
