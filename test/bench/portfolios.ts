import type { Bench } from './bench.ts';
import { lotRows } from './portfolios/lots.ts';
import { optimiserRows } from './portfolios/optimiser.ts';
import { riskRows } from './portfolios/risk.ts';

const BENCH = 'portfolios';

/** Measures the computations on portfolios. */
export const bench: Bench = {
  summary: 'portfolios: processor time of tax lots, of a tax harvest, of risk and of optimisers',
  targets:
    'lots of 1,000,000 events <= 2,000 ms of processor time; a harvest over 10,000 lots <= 300 ms; the risk of 500 ' +
    'positions x 2,520 days <= 150 ms, so that a request can compute it; minimum variance of 25, 100 and 400 assets ' +
    'without short positions <= 1 x cvxopt; minimum CVaR of 100 assets x 1,000 observations <= 1 x HiGHS',
  run: async (context) => [
    ...(await lotRows(BENCH, context)),
    ...(await riskRows(BENCH, context)),
    ...(await optimiserRows(BENCH, context)),
  ],
};
