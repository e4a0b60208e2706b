/** Bounds of a run. Cells are samples x months x positions. */
export const SCENARIO_LIMITS = { positions: 1_000, cells: 250_000_000 } as const;

/** Symbols that are loaded, at most: those of the positions, and some that were sold after a split. */
export const SYMBOLS_MAX = SCENARIO_LIMITS.positions + 500;

/** Months of the window of betas: default, and bounds. */
export const WINDOW = { min: 36, max: 240, default: 60 } as const;

/** Complete months that a beta needs: this number, and these more than there are factors. */
export const MONTHS = { min: 24, moreThanFactors: 12 } as const;

/** The share of positions without a price above which nothing is computed. */
export const SHARE_WITHOUT_PRICE_MAX = 0.2;
