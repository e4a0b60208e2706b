/** Bounds of an efficient frontier. */
export const FRONTIER_LIMITS = {
  points: 50,
  paths: 500,
  /** Maximum number of symbols of a resampled frontier. */
  resampledSymbols: 250,
} as const;

/** Default number of points. */
export const FRONTIER_POINTS = 20;
