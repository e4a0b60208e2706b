import type { Amount } from './files.ts';

export type Budget = {
  /** The budget of the whole run; undefined if the run has no budget. */
  total?: number;
  /** The budget of each area that the run covers. The budget of the whole run is their sum. */
  shares: Readonly<Record<string, number>>;
};

/**
 * Budgets in processor time, as multiples of the calibration loop, so that they are comparable on fast and
 * slow machines.
 */
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
