/** Maximum number of positions and of cells of a run. The number of cells is samples x months x positions. */
export const SCENARIO_LIMITS = { positions: 1_000, cells: 250_000_000 } as const;

/**
 * Maximum number of symbols whose data are loaded: the symbols of the positions, and symbols that were sold
 * after a split.
 */
export const SYMBOLS_MAX = SCENARIO_LIMITS.positions + 500;

/** Minimum, maximum and default number of months in the window of betas. */
export const WINDOW = { min: 36, max: 240, default: 60 } as const;

/**
 * Minimum number of complete months to estimate betas: at least `min`, and at least `moreThanFactors` more
 * than the number of factors.
 */
export const MONTHS = { min: 24, moreThanFactors: 12 } as const;

/** Maximum share of positions without a price. Above this share, the run is refused. */
export const SHARE_WITHOUT_PRICE_MAX = 0.2;
