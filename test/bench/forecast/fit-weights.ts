import { mean, standardDeviation } from 'simple-statistics';
import { exp } from '#lib/numerics/exponential.ts';
import { standardized, type WeightModel } from '#lib/forecasting/engine/feature-weights.ts';
import { groupScore, type SeriesScore } from './scores.ts';

/**
 * The training data of one series: the weight that the backtest gives each method (0 for no weight), the
 * forecast points of each method, and the observed values.
 */
export type Sample = {
  features: readonly number[];
  backtest: Float64Array;
  points: readonly Float64Array[];
  actual: Float64Array;
  scale: number;
  naive2: SeriesScore;
};

const ITERATIONS = 200;
const STEP = 0.05;
const DECAY = { mean: 0.9, square: 0.99 };
/**
 * The penalties that shrink intercepts towards their mean and slopes towards 0, chosen by cross-validation
 * over the training series.
 */
const PENALTY: Penalty = { intercept: 0.001, slope: 0.01 };

export type Penalty = { intercept: number; slope: number };
const DECIMALS = 1e4;

/** Steps and their size if the fit starts from the model of all lengths. */
const ITERATIONS_FROM = 100;
const STEP_FROM = 0.02;

/**
 * Returns the model whose combinations have the smallest OWA over the samples. It is fitted by Adam (Kingma and Ba,
 * 2015) over all samples at once, from equal weights, with a fixed number of steps. If `from` is given, the model of a
 * larger sample, the fit starts from this model, standardises features as this model does, and shrinks every
 * coefficient towards this model.
 */
export function fitWeights(
  methods: readonly string[],
  samples: readonly Sample[],
  penalty: Penalty = PENALTY,
  from: WeightModel | null = null,
): WeightModel {
  const { center, spread } = from ?? momentsOf(samples.map(({ features }) => features));
  const rows = samples.map(({ features }) =>
    Float64Array.of(1, ...features.map((feature, at) => standardized(feature, center[at]!, spread[at]!))),
  );
  const reference = groupScore(samples.map(({ naive2 }) => naive2));
  const width = rows[0]!.length;
  const size = width * methods.length;
  const [x, mean, square, gradient] = [0, 1, 2, 3].map(() => new Float64Array(size)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ];
  const base = from && Float64Array.from([...from.intercepts, ...from.slopes.flat()]);
  if (base) x.set(base);
  const [iterations, step] = base ? [ITERATIONS_FROM, STEP_FROM] : [ITERATIONS, STEP];
  for (let iteration = 1; iteration <= iterations; iteration += 1) {
    penaltyGradient(x, methods.length, { ...penalty, base }, gradient);
    samples.forEach((sample, at) =>
      addGradient(sample, rows[at]!, { x, reference, count: samples.length }, gradient),
    );
    const [meanShare, squareShare] = [1 - power(DECAY.mean, iteration), 1 - power(DECAY.square, iteration)];
    for (let i = 0; i < size; i += 1) {
      mean[i] = DECAY.mean * mean[i]! + (1 - DECAY.mean) * gradient[i]!;
      square[i] = DECAY.square * square[i]! + (1 - DECAY.square) * gradient[i]! * gradient[i]!;
      const m = mean[i]! / meanShare;
      const v = square[i]! / squareShare;
      x[i]! -= (step * m) / (Math.sqrt(v) + 1e-9);
    }
  }
  const row = (at: number) => [...x.subarray(at * methods.length, (at + 1) * methods.length)].map(rounded);
  return {
    methods,
    center: center.map(rounded),
    spread: spread.map(rounded),
    intercepts: row(0),
    slopes: center.map((_, at) => row(at + 1)),
  };
}

/**
 * Returns the combined forecast of a sample with the given weights, which are scaled to sum to 1. `weights`
 * receives the shares.
 */
export function combined({ backtest, points, actual }: Sample, weights: Float64Array): Float64Array {
  let total = 0;
  for (let j = 0; j < weights.length; j += 1) total += weights[j]! * backtest[j]!;
  const point = new Float64Array(actual.length);
  for (let j = 0; j < weights.length; j += 1) {
    const weight = (weights[j]! * backtest[j]!) / total;
    weights[j] = weight;
    if (weight === 0) continue;
    const own = points[j]!;
    for (let h = 0; h < point.length; h += 1) point[h]! += weight * own[h]!;
  }
  return point;
}

type Objective = { x: Float64Array; reference: { smape: number; mase: number }; count: number };

/**
 * Adds the gradient of the OWA of one sample. For softmax weights w, d loss / d score_j = w_j sum_h g_h (f_jh
 * - F_h).
 */
function addGradient(sample: Sample, row: Float64Array, objective: Objective, gradient: Float64Array): void {
  const { x, reference, count } = objective;
  const { points, backtest, actual, scale } = sample;
  const methods = points.length;
  const weights = new Float64Array(methods);
  let highest = -Infinity;
  for (let j = 0; j < methods; j += 1) {
    let score = 0;
    for (let k = 0; k < row.length; k += 1) score += row[k]! * x[k * methods + j]!;
    weights[j] = score;
    if (score > highest) highest = score;
  }
  for (let j = 0; j < methods; j += 1) weights[j] = backtest[j] === 0 ? 0 : exp(weights[j]! - highest);
  const point = combined(sample, weights);
  const slope = new Float64Array(point.length);
  let level = 0;
  for (let h = 0; h < point.length; h += 1) {
    slope[h] = lossSlope(point[h]!, actual[h]!, scale, reference);
    level += slope[h]! * point[h]!;
  }
  for (let j = 0; j < methods; j += 1) {
    if (weights[j] === 0) continue;
    const own = points[j]!;
    let pull = -level;
    for (let h = 0; h < point.length; h += 1) pull += slope[h]! * own[h]!;
    const part = (weights[j]! * pull) / point.length / count;
    for (let k = 0; k < row.length; k += 1) gradient[k * methods + j]! += part * row[k]!;
  }
}

/**
 * Returns the derivative, with respect to the forecast, of half of sMAPE and half of MASE, each relative to
 * the reference.
 */
function lossSlope(
  forecast: number,
  actual: number,
  scale: number,
  reference: { smape: number; mase: number },
): number {
  const size = Math.abs(actual) + Math.abs(forecast);
  const sign = Math.sign(forecast - actual);
  const ofSmape =
    size > 0 ? 200 * (sign / size - (Math.abs(actual - forecast) * Math.sign(forecast)) / (size * size)) : 0;
  return 0.5 * (ofSmape / reference.smape + sign / scale / reference.mase);
}

function penaltyGradient(
  x: Float64Array,
  methods: number,
  penalty: Penalty & { base: Float64Array | null },
  gradient: Float64Array,
): void {
  const level = penalty.base ? 0 : mean([...x.subarray(0, methods)]);
  for (let i = 0; i < x.length; i += 1) {
    const isIntercept = i < methods;
    const from = x[i]! - (penalty.base?.[i] ?? (isIntercept ? level : 0));
    gradient[i] = (2 * (isIntercept ? penalty.intercept : penalty.slope) * from) / methods;
  }
}

function momentsOf(rows: readonly (readonly number[])[]): { center: number[]; spread: number[] } {
  const center = rows[0]!.map((_, at) => mean(rows.map((row) => row[at]!)));
  const spread = center.map((_, at) => standardDeviation(rows.map((row) => row[at]!)));
  // A feature that hardly varies has no information about the weights.
  return { center, spread: spread.map((each) => (each > 1e-6 ? each : 0)) };
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let i = 0; i < exponent; i += 1) result *= base;
  return result;
}

function rounded(value: number): number {
  return Math.round(value * DECIMALS) / DECIMALS;
}
