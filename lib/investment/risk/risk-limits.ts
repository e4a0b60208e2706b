/** The largest portfolio that is computed: positions, and returns of each. */
export type RiskLimits = { positions: number; days: number };

/** The largest portfolio that a request computes at once. A larger one needs a run. */
export const RISK_LIMITS = { positions: 500, days: 2_520 } as const satisfies RiskLimits;

/** The largest portfolio that a run computes: the longest window and the returns of its backtest. */
export const REPORT_LIMITS = { positions: 2_000, days: 2_770 } as const satisfies RiskLimits;

/** The most portfolios that a request without a portfolio summarises. */
export const SUMMARY_MAX = 50;

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

/** Sessions whose volumes count for the days of liquidity. */
export const DAILY_ROWS_OF_LIQUIDITY = 21;
