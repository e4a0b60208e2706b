import type { Bench } from './bench.ts';
import { optimiserRows } from './portfolios/optimiser.ts';

const BENCH = 'portfolios';

/** Measures the models of portfolios. */
export const bench: Bench = {
  summary: 'portfolios: time of optimisers',
  targets:
    'minimum variance of 25, 100 and 400 assets without short positions <= 1 x cvxopt; minimum CVaR of 100 assets x ' +
    '1,000 observations <= 1 x HiGHS.',
  run: (context) => optimiserRows(BENCH, context),
};
