/** The most values of a series. Beyond, search times of seasonal models are no longer those of a request. */
export const OBSERVATIONS_MAX = 2_000;

/** The largest size of a value: what is made of larger ones may have no room in a double. */
export const VALUE_MAX = 1e303;

/** The fewest values that are forecast at all, whatever the horizon. */
export const OBSERVATIONS_MIN = 8;

/** A series needs this many values more than the horizon has periods. */
export const OBSERVATIONS_BEYOND_HORIZON = 4;

/** The longest horizon, in periods of the series. */
export const HORIZON_MAX = 60;

/** Share of missing periods between the first and the last observed one that is still interpolated. */
export const GAP_SHARE_MAX = 0.2;

/** How many intervals may be asked for. */
export const LEVELS_MAX = 10;

/** Intervals of a forecast whose caller names none, in per cent. */
export const DEFAULT_LEVELS: readonly number[] = [50, 80, 95];
