/** Bounds of tournaments. */
export const TOURNAMENT_LIMITS = {
  series: 1_000,
  entries: 50,
  origins: 500,
  step: 60,
  refit: 500,
  window: 5_000,
  /** Maximum number of rows of a dataset, and of columns that entries use. */
  rows: 5_000,
  columns: 50,
  /** Maximum number of simulated strategies, including variants. An added baseline is not counted. */
  strategies: 64,
  resamples: { min: 100, max: 10_000, default: 2_000 },
  /** Maximum product of series, origins and entries; a combination counts as `COMBINATION_FORECASTS` entries. */
  forecasts: 500_000,
} as const;

/** Minimum number of observations that losses are compared on. */
export const OBSERVATIONS_NEEDED = 20;
/** Minimum number of series for which each series is one observation. */
export const SERIES_AS_OBSERVATIONS = 20;
/** Approximate number of methods that a combination fits. */
export const COMBINATION_FORECASTS = 30;
