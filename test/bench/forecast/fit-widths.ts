import { exp } from '#lib/numerics/exponential.ts';
import type { WidthLogs } from '#lib/forecasting/engine/interval-widening.ts';

/** A side of the intervals. */
export type Side = 'lower' | 'upper';

/**
 * One forecast step of a series: the logarithms that `wideningLogs` returns, the distance of the observed value from
 * the point (`miss`), which is positive in the direction of the bound, the width of the interval, and the scale of MASE.
 */
export type WidthSample = { logs: WidthLogs; miss: number; width: number; scale: number };

const ITERATIONS = 400;
const STEP = 0.02;
const DECAY = { mean: 0.9, square: 0.99 };
/** The penalty that shrinks the exponents towards 0. */
const PENALTY = 1e-3;
/** The penalty of the interval score at 95 %, for each unit that a value is beyond a bound. */
const BEYOND = 40;
const NAMES = ['step', 'disagreement', 'error', 'change', 'length', 'length_curve'] as const;

/**
 * Returns the exponents whose intervals have the smallest scaled interval score at 95 %, fitted by Adam. The score is
 * that of the side of the samples.
 */
export function fitWidths(samples: readonly WidthSample[]): WidthLogs {
  const rows = samples.map(({ logs }) => Float64Array.of(1, ...NAMES.map((name) => logs[name])));
  const width = NAMES.length + 1;
  const x = Float64Array.from({ length: width }, (_, at) => (at === 0 ? 1 : 0));
  const [mean, square] = [new Float64Array(width), new Float64Array(width)];
  for (let iteration = 1; iteration <= ITERATIONS; iteration += 1) {
    const gradient = x.map((value, at) => (at < 2 ? 0 : PENALTY * value));
    samples.forEach(({ miss, width: unit, scale }, at) => {
      const row = rows[at]!;
      let log = 0;
      for (let i = 0; i < width; i += 1) log += row[i]! * x[i]!;
      const half = unit * exp(log);
      const pull = ((miss > half ? 1 - BEYOND : 1) * half) / scale / samples.length;
      for (let i = 0; i < width; i += 1) gradient[i]! += pull * row[i]!;
    });
    const rate = STEP * (1 - (0.9 * iteration) / ITERATIONS);
    for (let i = 0; i < width; i += 1) {
      mean[i] = DECAY.mean * mean[i]! + (1 - DECAY.mean) * gradient[i]!;
      square[i] = DECAY.square * square[i]! + (1 - DECAY.square) * gradient[i]! * gradient[i]!;
      const m = mean[i]! / (1 - DECAY.mean ** iteration);
      const v = square[i]! / (1 - DECAY.square ** iteration);
      x[i]! -= (rate * m) / (Math.sqrt(v) + 1e-9);
    }
  }
  return Object.fromEntries(NAMES.map((name, at) => [name, Math.round(1e3 * x[at + 1]!) / 1e3])) as WidthLogs;
}
