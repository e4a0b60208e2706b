/**
 * Maximum number of values in a series. For longer series, the search for seasonal models takes too long for a request.
 */
export const OBSERVATIONS_MAX = 2_000;

/** Maximum absolute value. Results computed from larger values could overflow a double. */
export const VALUE_MAX = 1e303;

/** Minimum number of observed values of a series, for any horizon. */
export const OBSERVATIONS_MIN = 8;

/** Number of values that a series needs in addition to the number of periods in the horizon. */
export const OBSERVATIONS_BEYOND_HORIZON = 4;

/** Maximum horizon, in periods of the series. */
export const HORIZON_MAX = 60;

/**
 * Maximum share of missing periods between the first and the last observed period. Up to this share, gaps are
 * interpolated.
 */
export const GAP_SHARE_MAX = 0.2;

/** Maximum number of intervals per request. */
export const LEVELS_MAX = 10;

/** Default interval levels, in per cent. */
export const DEFAULT_LEVELS: readonly number[] = [50, 80, 95];
