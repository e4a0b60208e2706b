import type { Bench } from './bench.ts';
import { lotRows } from './portfolios/lots.ts';
import { riskRows } from './portfolios/risk.ts';

const BENCH = 'portfolios';

/** Measures the models of portfolios. */
export const bench: Bench = {
  summary: 'portfolios: processor time of tax lots, of a tax harvest and of risk',
  targets:
    'lots of 1,000,000 events <= 2,000 ms of processor time; a harvest over 10,000 lots <= 300 ms; the risk of 500 ' +
    'positions x 2,520 days <= 150 ms, so that a request can compute it',
  run: async (context) => [...(await lotRows(BENCH, context)), ...(await riskRows(BENCH, context))],
};
