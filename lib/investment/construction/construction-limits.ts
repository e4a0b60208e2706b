/** The most symbols of a universe. */
export const SYMBOLS_MAX = 1_000;
/** The most prices that a construction reads: 1,000 symbols for ten years of sessions. */
export const PRICES_MAX = 2_521_000;
/** The most orders of a file for order batches. */
export const ORDERS_MAX = 2_000;
