/** Bounds of a search. */
export const SEARCH_LIMITS = {
  trials: 10_000,
  /**
   * Maximum number of random draws for each requested point; the search then continues with the points it
   * has.
   */
  drawsPerTrial: 100,
  axes: 20,
  values: 1_000,
  requirements: 8,
  /** Maximum number of trials that a result lists. The attachment has all of them. */
  listed: 200,
} as const;

/** Default number of trials of a search, and of blocks of its cross-validation. */
export const SEARCH_DEFAULTS = { trials: 200, blocks: 10 } as const;
