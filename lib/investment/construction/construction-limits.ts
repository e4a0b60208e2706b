/** Maximum number of symbols in a universe. */
export const SYMBOLS_MAX = 1_000;
/** Maximum number of prices that a construction reads: 1,000 symbols for ten years of sessions. */
export const PRICES_MAX = 2_521_000;
/** Maximum number of symbols for which the covariance matrix is stored with its run. */
export const MATRIX_SYMBOLS_MAX = 1_000;
