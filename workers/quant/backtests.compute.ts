import { backtestPart, curvesOf } from '#lib/quant/backtests/divide-backtest.ts';
import { runBacktest } from '#lib/quant/backtests/run-backtest.ts';
import type { ComputationOf } from '../process/runner.ts';
import type runner from './backtests.ts';

export const compute: ComputationOf<typeof runner> = (input, data, control, divided) => {
  const progress = (share: number) => {
    if (control.cancelled()) throw new Error('cancelled');
    control.progress(share);
  };
  if (!divided?.part) {
    const curves = divided && curvesOf(input, divided.drawn);
    return runBacktest(input, data, { progress }, curves);
  }
  const numbers = backtestPart(input, data.data, { part: divided.part, progress });
  if (!(numbers instanceof Float64Array)) return numbers;
  return { ok: true, part: new Uint8Array(numbers.buffer) };
};
