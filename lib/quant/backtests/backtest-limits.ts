/** Bounds of a backtest. */
export const BACKTEST_LIMITS = {
  symbols: 2_000,
  sessions: 10_080,
  /** Maximum product of symbols and sessions. */
  cells: 20_000_000,
  variants: 64,
  trialsDeclared: 1_000_000,
  /** Minimum number of sessions. */
  sessionsMin: 60,
  /** Maximum number of rows of an attachment. */
  rows: 200_000,
} as const;

/** Initial cash of the simulations that measure the capacity, as multiples of the cash of the strategy. */
export const CAPACITY_SCALES = [1, 3, 10, 30, 100] as const;

/** Number of drawdowns that a result lists. */
export const DRAWDOWNS = 10;
