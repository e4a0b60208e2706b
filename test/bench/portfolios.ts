import type { Bench } from './bench.ts';
import { riskRows } from './portfolios/risk.ts';

const BENCH = 'portfolios';

/** Measures the models of portfolios. */
export const bench: Bench = {
  summary: 'portfolios: processor time of the risk of a portfolio',
  targets:
    'the risk of 500 positions x 2,520 days <= 150 ms of processor time, so that a request can compute it',
  run: (context) => riskRows(BENCH, context),
};
