import { studentTail } from '../distributions/student-t.ts';

export type Alternative = 'two.sided' | 'less' | 'greater';

export type DieboldMarianoOptions = {
  /** Number of steps that are forecast ahead, 1 or more. */
  horizon: number;
  /** Power p of the loss |e|^p: 1 is the absolute error, 2 is the squared error. */
  power: 1 | 2;
  /** Weights of the autocovariances. `acf`: all 1. `bartlett`: Bartlett weights 1 - k / horizon. */
  variance: 'acf' | 'bartlett';
  /** Alternative hypothesis. `less`: the first forecasts have the smaller loss. */
  alternative: Alternative;
};

export type DieboldMariano =
  | { ok: true; statistic: number; p: number; meanDifference: number; horizonUsed: number }
  /**
   * Reason why there is no test. `equal_losses`: all differences of the losses are 0. `zero_variance`: all differences
   * are equal, but not 0.
   */
  | { ok: false; reason: 'equal_losses' | 'zero_variance' | 'too_few' };

/**
 * Tests whether two series of forecast errors have equal accuracy, with the correction for small samples and Student t
 * tails of n - 1 degrees of freedom.
 *
 * Shapes: `first` and `second` are the errors at the same origins, in the same unit. d = |e1|^p - |e2|^p,
 * V = (g_0 + 2 sum_{k<h} w_k g_k) / n with autocovariances over n. The statistic is mean(d) / sqrt(V) times
 * sqrt((n + 1 - 2h + h (h - 1) / n) / n). If V is not above 0 and h is above 1, one step is used (`horizonUsed`).
 * Errors: `RangeError` on different lengths and on a horizon that is not a positive integer below n.
 * Source: Diebold and Mariano (1995); Harvey, Leybourne and Newbold, "Testing the equality of prediction mean squared
 * errors" (International Journal of Forecasting 1997), equation 9.
 *
 * Example: errors [1, 2, 3, 5] against [1, 1, 1, 1] at horizon 1 and power 1 have the statistic 2.0493901531919194.
 */
export function dieboldMariano(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  { horizon, power, variance, alternative }: DieboldMarianoOptions,
): DieboldMariano {
  const sizes = (errors: ArrayLike<number>) => Float64Array.from(errors, (e) => loss(e, power));
  return compareLosses(sizes(first), sizes(second), { horizon, variance, alternative });
}

/**
 * Tests whether two series of losses have equal means, with the statistic of `dieboldMariano`. Losses may be negative,
 * such as a negative Sharpe ratio.
 */
export function compareLosses(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  { horizon, variance, alternative }: Omit<DieboldMarianoOptions, 'power'>,
): DieboldMariano {
  const n = first.length;
  if (second.length !== n)
    throw new RangeError(`${n} losses cannot be compared with ${second.length} losses`);
  if (!Number.isSafeInteger(horizon) || horizon < 1) throw new RangeError(`not a horizon: ${horizon}`);
  if (n < 2 || horizon >= n) return { ok: false, reason: 'too_few' };
  const differences = Float64Array.from(first, (each, at) => each - second[at]!);
  if (differences.every((each) => each === 0)) return { ok: false, reason: 'equal_losses' };
  let total = 0;
  for (const each of differences) total += each;
  const meanDifference = total / n;
  let horizonUsed = horizon;
  let longRun = longRunVariance(differences, meanDifference, horizon, variance);
  if (!(longRun > 0) && horizon > 1) {
    horizonUsed = 1;
    longRun = longRunVariance(differences, meanDifference, 1, variance);
  }
  if (!(longRun > 0)) return { ok: false, reason: 'zero_variance' };
  const h = horizonUsed;
  const correction = Math.sqrt((n + 1 - 2 * h + (h * (h - 1)) / n) / n);
  const statistic = (meanDifference / Math.sqrt(longRun)) * correction;
  return { ok: true, statistic, p: tail(statistic, n - 1, alternative), meanDifference, horizonUsed };
}

function loss(error: number, power: 1 | 2): number {
  return power === 1 ? Math.abs(error) : error * error;
}

function longRunVariance(
  differences: Float64Array,
  centre: number,
  horizon: number,
  weights: 'acf' | 'bartlett',
): number {
  const n = differences.length;
  let longRun = 0;
  for (let lag = 0; lag < horizon; lag += 1) {
    let products = 0;
    for (let t = lag; t < n; t += 1)
      products += (differences[t]! - centre) * (differences[t - lag]! - centre);
    const weight = weights === 'acf' ? 1 : 1 - lag / horizon;
    longRun += (lag === 0 ? 1 : 2 * weight) * (products / n);
  }
  return longRun / n;
}

function tail(statistic: number, degrees: number, alternative: Alternative): number {
  if (alternative === 'greater') return studentTail(statistic, degrees);
  if (alternative === 'less') return studentTail(-statistic, degrees);
  return 2 * studentTail(Math.abs(statistic), degrees);
}
