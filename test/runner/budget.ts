/** Budgets in processor time, as multiples of the calibration loop: the same on a quick machine and on a slow one. */
export const budgets = {
  /** `npm test`. */
  usual: { total: 180, shares: {} as Record<string, number> },
} as const;
