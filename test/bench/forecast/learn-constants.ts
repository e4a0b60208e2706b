import { mean, quantile } from 'simple-statistics';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { featureWeights, type WeightModel } from '#lib/forecasting/engine/feature-weights.ts';
import { featureNames } from '#lib/forecasting/engine/series-features.ts';
import type { Frequency } from '#lib/forecasting/engine/forecast-series.types.ts';
import { backtestWeights } from '#lib/forecasting/engine/weights.ts';
import { combined, fitWeights, type Sample } from './fit-weights.ts';
import { readLearningRows, type LearningRow } from './learning-rows.ts';
import { owaOf, scoreOf } from './scores.ts';

/**
 * Learns the content of `lib/forecasting/engine/learned-constants.json` and prints it:
 *
 *     node test/bench/forecast/learning-rows.ts series.jsonl.gz rows.jsonl
 *     node test/bench/forecast/learning-rows.ts m4_dev.jsonl.gz dev.jsonl
 *     node test/bench/forecast/learning-rows.ts m4_extra_dev.jsonl.gz extra.jsonl
 *     node test/bench/forecast/learn-constants.ts dev.jsonl extra.jsonl rows.jsonl > lib/forecasting/engine/learned-constants.json
 *
 * Weights are learned on 4,528 series of the M3 and M4 competitions, none of which the bench measures on. The
 * script also reports their accuracy on series that they were not learned on (cross-validated in five parts).
 * The factor of an interval is the mean of the factors that these series and those of the bench need. The
 * factors of yearly series differ by a fifth between the two samples. There are only 40 weekly and 30 hourly
 * series. They share the weights of monthly series, and a fifth of each of their factors is the monthly
 * factor.
 */
const METHODS: readonly string[] = [
  'naive2',
  'drift',
  'ses',
  'holt',
  'damped_holt',
  'damped_holt_box_cox',
  'theta',
  'theta_box_cox',
  'dynamic_theta',
  'dynamic_theta_box_cox',
  'ets',
  'arima',
  'ces',
];
/** Methods that are replaced by another method if a series has no season. */
const SEASONAL_METHODS: readonly string[] = [
  'seasonal_naive',
  'holt_winters_damped',
  'arima_adjusted',
  'mstl_ets',
];
const FREQUENCIES: readonly Frequency[] = ['yearly', 'quarterly', 'monthly'];
const RARE_FREQUENCIES: readonly Frequency[] = ['weekly', 'hourly'];
const SHARE_OF_MONTHLY = 0.2;
const LEVELS = [50, 80, 95];
const PARTS = 5;

const [otherFile, rareFile, ...files] = process.argv.slice(2);
if (otherFile === undefined || rareFile === undefined || files.length === 0)
  throw new Error('usage: <dev.jsonl> <extra.jsonl> <rows.jsonl>...');
const rows = readLearningRows(files).filter(({ scale }) => scale > 0);
const otherRows = readLearningRows([otherFile]).filter(({ scale }) => scale > 0);
const rareRows = readLearningRows([rareFile]).filter(({ scale }) => scale > 0);
const learned = Object.fromEntries(FREQUENCIES.map((frequency) => [frequency, learn(frequency)]));
const rare = Object.fromEntries(RARE_FREQUENCIES.map((frequency) => [frequency, learnRare(frequency)]));
process.stdout.write(`${JSON.stringify({ features: featureNames, ...learned, ...rare }, null, 2)}\n`);

function learn(frequency: Frequency): Learned {
  const methods = frequency === 'yearly' ? METHODS : [...METHODS, ...SEASONAL_METHODS];
  const mine = rows.filter((row) => row.frequency === frequency);
  const samples = mine.map((row) => sampleOf(row, methods));
  const unseen = crossValidated(methods, samples);
  const scores = unseen.map((points, at) => scoreOf(testSeries(mine[at]!), points, null));
  const owa = owaOf(
    scores,
    samples.map(({ naive2 }) => naive2),
  );
  process.stderr.write(`${frequency}: ${mine.length} series, OWA on unseen parts ${owa.toFixed(4)}\n`);
  const weights = fitWeights(methods, samples);
  const others = otherRows.filter((row) => row.frequency === frequency);
  const ofOthers = others.map((row) => combinationOf(weights, sampleOf(row, methods)));
  const factors = LEVELS.map((level) => {
    const both = [factorOf(mine, unseen, level), factorOf(others, ofOthers, level)];
    process.stderr.write(
      `${frequency}: factors at ${level} % ${both.map((each) => each.toFixed(3)).join(' and ')}\n`,
    );
    return { level, factor: Math.round(1000 * mean(both)) / 1000 };
  });
  return { weights, shares: meanShares(weights, samples), factors };
}

/** Learns factors only, for series combined by the mean weights of monthly series. */
function learnRare(frequency: Frequency): Pick<Learned, 'factors'> {
  const { shares, factors } = learned['monthly']!;
  const mine = rareRows.filter((row) => row.frequency === frequency);
  const points = mine.map((row) => {
    const had = Object.keys(shares).filter((key) => row.methods[key]);
    return combined(
      sampleOf(row, had),
      Float64Array.from(had, (key) => shares[key]!),
    );
  });
  return {
    factors: LEVELS.map((level, at) => {
      const own = factorOf(mine, points, level);
      process.stderr.write(`${frequency}: factor at ${level} % ${own.toFixed(3)}\n`);
      const factor = SHARE_OF_MONTHLY * factors[at]!.factor + (1 - SHARE_OF_MONTHLY) * own;
      return { level, factor: Math.round(1000 * factor) / 1000 };
    }),
  };
}

type Learned = {
  weights: WeightModel;
  shares: Record<string, number>;
  factors: { level: number; factor: number }[];
};

/** Returns the mean weight of each method over the series. */
function meanShares(model: WeightModel, samples: readonly Sample[]): Record<string, number> {
  const weights = samples.map(({ features }) => featureWeights(model, features));
  const share = (key: string) => mean(weights.map((each) => each[key]!));
  return Object.fromEntries(model.methods.map((key) => [key, Math.round(1e4 * share(key)) / 1e4]));
}

function sampleOf(row: LearningRow, methods: readonly string[]): Sample {
  const horizon = row.actual.length;
  return {
    features: row.features,
    backtest: backtestWeights(methods.map((key) => row.methods[key] && row.methods[key].error)),
    points: methods.map((key) => Float64Array.from(row.methods[key]?.points ?? new Float64Array(horizon))),
    actual: Float64Array.from(row.actual),
    scale: row.scale,
    naive2: scoreOf(testSeries(row), row.methods['naive2']!.points, null),
  };
}

/** Returns the combined forecast of each series, made by a model that was fitted without that series. */
function crossValidated(methods: readonly string[], samples: readonly Sample[]): Float64Array[] {
  const models = Array.from({ length: PARTS }, (_, part) =>
    fitWeights(
      methods,
      samples.filter((_, at) => at % PARTS !== part),
    ),
  );
  return samples.map((sample, at) => combinationOf(models[at % PARTS]!, sample));
}

function combinationOf(model: WeightModel, sample: Sample): Float64Array {
  const weights = featureWeights(model, sample.features);
  return combined(
    sample,
    Float64Array.from(model.methods, (key) => weights[key]!),
  );
}

/**
 * Returns the factor by which intervals must be widened so that they contain `level` per cent of all values.
 * An unwidened interval extends z times the mean standard error to either side of the forecast.
 */
function factorOf(mine: readonly LearningRow[], points: readonly Float64Array[], level: number): number {
  const z = normalQuantile(0.5 + level / 200);
  const ratios = mine.flatMap(({ actual, width }, at) =>
    actual.flatMap((value, h) =>
      width[h]! > 0 ? [Math.abs(value - points[at]![h]!) / (z * width[h]!)] : [],
    ),
  );
  return quantile(ratios, level / 100);
}

/**
 * Returns a series with only the data that its score needs. Its training values are chosen so that they give
 * the recorded scale of MASE.
 */
function testSeries({ id, frequency, actual, scale }: LearningRow) {
  return { id, frequency, period: 1, horizon: actual.length, train: [0, scale], test: actual };
}
