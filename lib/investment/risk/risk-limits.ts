/** Maximum number of positions, and of returns per position. */
export type RiskLimits = { positions: number; days: number };

/** Limits of a portfolio whose risk a request computes directly. A larger portfolio needs a run. */
export const RISK_LIMITS = { positions: 500, days: 2_520 } as const satisfies RiskLimits;

/**
 * Limits of a portfolio whose risk a run computes. The number of days is the longest window plus the returns of its
 * backtest.
 */
export const REPORT_LIMITS = { positions: 2_000, days: 2_770 } as const satisfies RiskLimits;

/** Maximum number of portfolios in a list of GET /investment/risk. */
export const SUMMARY_MAX = 50;

/** The run that computes the risk of a portfolio above `RISK_LIMITS`. */
export const RISK_RUN = 'POST /investment/risk-reports';

/**
 * Number of periods per year, default window, and minimum number of returns from which a figure is computed.
 */
export const FREQUENCIES = {
  daily: { periodsPerYear: 252, window: 252, observationsMin: 60 },
  monthly: { periodsPerYear: 12, window: 60, observationsMin: 24 },
} as const;
export type Frequency = keyof typeof FREQUENCIES;

/** Maximum number of consecutive missing prices that are filled with a neighbouring price. */
export const ROWS_FILLED_MAX = 5;

/** Maximum share of the value without price history. Above this share, the portfolio is refused. */
export const SHARE_WITHOUT_HISTORY_MAX = 0.2;

/**
 * Minimum value at the start of a realised period, as a share of the positions. A smaller value means that deposits are
 * missing.
 */
export const EQUITY_SHARE_MIN = 0.05;

/** Maximum and minimum number of returns on which the value at risk is tested. */
export const BACKTEST = { most: 250, least: 50 } as const;

/** Decay of the exponentially weighted volatility, as in RiskMetrics (1996). */
export const DECAY = 0.94;

/** Number of last sessions whose volumes are used for the days of liquidity. */
export const DAILY_ROWS_OF_LIQUIDITY = 21;
