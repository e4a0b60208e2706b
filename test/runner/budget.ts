import type { Amount } from './files.ts';

export type Budget = {
  /** Of the whole run; left out where there is none. */
  total?: number;
  /** Of each area that matters; together the whole. */
  shares: Readonly<Record<string, number>>;
};

/** Budgets in processor time, as multiples of the calibration loop: the same on a quick machine and on a slow one. */
export const budgets: Record<Amount, Budget> = {
  usual: {
    total: 180,
    shares: {
      PostgreSQL: 40,
      'types, lint, format': 18,
      contract: 15,
      unit: 15,
      'live/actions': 14,
      'live/models': 19,
      'live/cli': 11,
      'live/access': 9,
      'live/pipeline': 9,
      'live/research': 5,
      'live/workflows': 5,
      'live/data': 4,
      golden: 3,
      runner: 3,
      'live/*': 3,
      'live/investment': 2,
      'live/audit': 2,
      'live/forecasting': 1,
      'live/trust': 1,
      'live/backup': 1,
    },
  },
  full: { total: 280, shares: {} },
  all: { shares: {} },
};
