import type { Bench } from './bench.ts';
import { backtestRows } from './compute/backtests.ts';
import { overfittingRows } from './compute/overfitting.ts';
import { searchWorkerRows } from './compute/search-workers.ts';
import { simulationRows } from './compute/simulation.ts';

const BENCH = 'compute';

/** Measures backtests, searches, the probability of overfitting and simulations. */
export const bench: Bench = {
  summary:
    'quant compute: processor time of backtests, searches, the probability of overfitting and simulations',
  targets:
    'momentum over 25 symbols x 1,007 sessions <= 0.02 x bt; a grid of 1,000 trials <= 0.5 x 1,000 separate ' +
    'backtests, because trials share signals; the probability of overfitting of 100 trials x 1,006 sessions in 16 ' +
    'blocks <= 0.01 x pypbo, of 1,000 trials x 200 sessions <= 0.05 x the same method in numpy; a law, 200,000 paths x 120 months of one asset <= 2.5 x numpy, whose ziggurat needs no ' +
    'logarithm; a block bootstrap, 1,000,000 paths x 120 months of 10 assets <= 0.9 x numpy, because the portfolio of ' +
    'a month is the same in every path; a search of 1,000 trials with 2 worker processes >= 1.7 x one',
  run: async (context) => [
    ...(await backtestRows(BENCH, context)),
    ...(await overfittingRows(BENCH, context)),
    ...(await simulationRows(BENCH, context)),
    ...(await searchWorkerRows(BENCH, context)),
  ],
};
