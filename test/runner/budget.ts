import type { Amount } from './files.ts';

export type Budget = {
  /** Of the whole run; left out where there is none. */
  total?: number;
  /** Of each area, in its sum the whole. */
  shares: Readonly<Record<string, number>>;
};

/** Budgets in processor time, as multiples of the calibration loop: the same on a quick machine and on a slow one. */
export const budgets: Record<Amount, Budget> = {
  usual: { total: 180, shares: {} },
  full: { total: 280, shares: {} },
  all: { shares: {} },
};
