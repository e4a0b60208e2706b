import { runBacktest } from '#lib/quant/backtests/run-backtest.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './backtests.ts';

export const compute: ComputationOf<typeof runner> = (input, data, control) =>
  runBacktest(input, data, control);
