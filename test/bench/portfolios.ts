import type { Bench } from './bench.ts';
import { lotRows } from './portfolios/lots.ts';

const BENCH = 'portfolios';

/** Measures the models of portfolios. */
export const bench: Bench = {
  summary: 'portfolios: processor time of tax lots and of a tax harvest',
  targets: 'lots of 1,000,000 events <= 2,000 ms of processor time; a harvest over 10,000 lots <= 300 ms',
  run: (context) => lotRows(BENCH, context),
};
