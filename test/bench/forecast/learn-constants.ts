import { readFileSync } from 'node:fs';
import { mean } from 'simple-statistics';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { featureWeights, type WeightModel } from '#lib/forecasting/engine/feature-weights.ts';
import type { WidthEvidence, WidthModel } from '#lib/forecasting/engine/interval-widening.ts';
import { featureNames } from '#lib/forecasting/engine/series-features.ts';
import type { Frequency } from '#lib/forecasting/engine/forecast-series.types.ts';
import { backtestWeights } from '#lib/forecasting/engine/weights.ts';
import { combined, fitWeights, type Sample } from './fit-weights.ts';
import { fitWidths, type Side } from './fit-widths.ts';
import {
  evidenceOf,
  factorOf,
  halfWidths,
  ratiosOf,
  widthSamplesOf,
  type Combined,
} from './learning-widths.ts';
import { observationsOf, readLearningRows, type LearningRow } from './learning-rows.ts';
import { groupScore, owaOf, scoreOf } from './scores.ts';

/**
 * Learns the content of `lib/forecasting/engine/learned-constants-v4.json` and prints it:
 *
 *     python3 test/bench/forecast/train-networks.py m4_train_pool.jsonl.gz networks.json unseen.jsonl
 *     node test/bench/forecast/learning-rows.ts m4_train_pool.jsonl.gz pool.jsonl
 *     node test/bench/forecast/learn-constants.ts pool.jsonl unseen.jsonl > constants.json
 *
 * The constants are learned on 4,528 yearly, quarterly and monthly series of the M3 and M4 competitions, none of which
 * the bench uses for its measurements. The forecasts of the networks are those of networks that did not see the series.
 * The script also reports the accuracy and the coverage on series that the weights were not learned on (cross-validated
 * in five parts), to which the widths and the factors are fitted. Weekly, daily and hourly series keep the constants of
 * version 2.
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
const NETWORK = 'pooled_network';
const LEVELS = [50, 80, 95];
const PARTS = 5;
/**
 * The upper bound of the length of each class, in values; the last class has no bound. A frequency is listed only if
 * classes made its weights more accurate in the cross-validation over the pool.
 */
const CLASSES: Partial<Record<Frequency, readonly number[]>> = { monthly: [71] };
/**
 * The penalty that shrinks the weights of a class towards the weights of all lengths. It was chosen by cross-validation
 * over the pool.
 */
const CLASS_PENALTY = { intercept: 0.003, slope: 0.03 };

const [poolFile, unseenFile] = process.argv.slice(2);
if (poolFile === undefined || unseenFile === undefined) throw new Error('usage: <pool.jsonl> <unseen.jsonl>');
const unseenLines = readFileSync(unseenFile, 'utf8').trimEnd().split('\n');
const ofNetworks = new Map(
  unseenLines.map((line) => {
    const { id, ...forecast } = JSON.parse(line) as { id: string; points: number[]; error: number | null };
    return [id, forecast];
  }),
);
const rows = readLearningRows([poolFile])
  .filter(({ scale }) => scale > 0)
  .map((row) => {
    const forecast = ofNetworks.get(row.id);
    const { [NETWORK]: _, ...methods } = row.methods;
    return { ...row, methods: forecast ? { ...methods, [NETWORK]: forecast } : methods };
  });
const learned = Object.fromEntries(FREQUENCIES.map((frequency) => [frequency, learn(frequency)]));
process.stdout.write(`${JSON.stringify({ features: featureNames, ...learned }, null, 2)}\n`);

type LearnedSide = { widths: WidthModel; factors: { level: number; factor: number }[] };
type Learned = {
  shares: Record<string, number>;
  weights: { observations_max: number | null; model: WeightModel }[];
  lower: LearnedSide;
  upper: LearnedSide;
};

/**
 * Learns the constants of a frequency: first the weights of all lengths, then the weights of each class of lengths,
 * which start from the weights of all lengths and are shrunk towards them. Then learns the widths and factors of
 * intervals.
 */
function learn(frequency: Frequency): Learned {
  const methods = [...METHODS, ...(frequency === 'yearly' ? [] : SEASONAL_METHODS), NETWORK];
  const maxima = [...(CLASSES[frequency] ?? []), null];
  const mine = rows.filter((row) => row.frequency === frequency);
  const samples = mine.map((row) => sampleOf(row, methods));
  const places = mine.map((row) => classOf(row, maxima));
  const parts = mine.map((_, at) => at % PARTS);
  const byPart = Array.from({ length: PARTS }, (_, part) =>
    weightsByClass(methods, samples, { places, isIn: (at) => parts[at] !== part }),
  );
  const unseen = samples.map((sample, at) => combinationOf(byPart[parts[at]!]![places[at]!]!, sample));
  reportOwa(frequency, mine, { unseen, samples });
  const known = { unseen, parts, places, evidence: unseen.map((each, at) => evidenceOf(mine[at]!, each)) };
  const [lower, upper] = [fitSide('lower', mine, known), fitSide('upper', mine, known)];
  reportCoverage(frequency, mine, { ...known, lower: lower.ofParts, upper: upper.ofParts });
  const models = weightsByClass(methods, samples, { places, isIn: () => true });
  const weights = samples.map(({ features }, at) => featureWeights(models[places[at]!]!, features));
  return {
    shares: meanShares(methods, weights),
    weights: maxima.map((max, place) => ({ observations_max: max, model: models[place]! })),
    lower: lower.learned,
    upper: upper.learned,
  };
}

/**
 * Fits weights to some samples. If there are several classes of lengths, returns the weights of each class instead,
 * fitted from these weights.
 */
function weightsByClass(
  methods: readonly string[],
  samples: readonly Sample[],
  { places, isIn }: { places: readonly number[]; isIn(at: number): boolean },
): WeightModel[] {
  const all = fitWeights(
    methods,
    samples.filter((_, at) => isIn(at)),
  );
  const count = Math.max(...places) + 1;
  if (count === 1) return [all];
  return Array.from({ length: count }, (_, place) => {
    const own = samples.filter((_, at) => isIn(at) && places[at] === place);
    return fitWeights(methods, own, CLASS_PENALTY, all);
  });
}

function classOf(row: LearningRow, maxima: readonly (number | null)[]): number {
  return maxima.findIndex((max) => max === null || observationsOf(row) <= max);
}

function reportOwa(
  name: string,
  mine: readonly LearningRow[],
  { unseen, samples }: { unseen: readonly Combined[]; samples: readonly Sample[] },
): void {
  const scores = unseen.map(({ points }, at) => scoreOf(testSeries(mine[at]!), points, null));
  const owa = owaOf(
    scores,
    samples.map(({ naive2 }) => naive2),
  );
  process.stderr.write(`${name}: ${mine.length} series, OWA on unseen parts ${owa.toFixed(4)}\n`);
}

/** Combinations that were not learned on their series, the evidence of their intervals, and the part of each series. */
type Known = {
  unseen: readonly Combined[];
  evidence: readonly WidthEvidence[];
  parts: readonly number[];
  places: readonly number[];
};
type PartSide = { widths: WidthModel; factor: number };

/**
 * Learns the widths and the factors of one side of intervals from errors of combinations on series from which the
 * combinations had not been learned. `ofParts` has the widths and the factor at 95 % of the series outside each
 * part.
 */
function fitSide(
  side: Side,
  mine: readonly LearningRow[],
  { unseen, evidence, parts }: Known,
): { learned: LearnedSide; ofParts: PartSide[] } {
  const samples = mine.map((row, at) =>
    widthSamplesOf(row, unseen[at]!.points, { evidence: evidence[at]!, side }),
  );
  const fit = (places: readonly number[]) => {
    const widths = fitWidths(places.flatMap((at) => samples[at]!));
    const some = { unseen: places.map((at) => unseen[at]!), evidence: places.map((at) => evidence[at]!) };
    const ratios = ratiosOf(
      places.map((at) => mine[at]!),
      { ...some, widths, side },
    );
    return { widths, ratios };
  };
  const all = fit([...mine.keys()]);
  return {
    learned: {
      widths: all.widths,
      factors: LEVELS.map((level) => ({
        level,
        factor: Math.round(1000 * factorOf(all.ratios, level)) / 1000,
      })),
    },
    ofParts: Array.from({ length: PARTS }, (_, part) => {
      const { widths, ratios } = fit([...mine.keys()].filter((at) => parts[at] !== part));
      return { widths, factor: factorOf(ratios, 95) };
    }),
  };
}

/** Reports the coverage at 95 % and MSIS of each part with widths and factors of the other parts. */
function reportCoverage(
  name: string,
  mine: readonly LearningRow[],
  {
    parts,
    places,
    unseen,
    evidence,
    lower,
    upper,
  }: Known & { lower: readonly PartSide[]; upper: readonly PartSide[] },
): void {
  const z = normalQuantile(0.975);
  const scores = mine.map((row, at) => {
    const { points } = unseen[at]!;
    const bound = (side: number, { widths, factor }: PartSide) => {
      const half = halfWidths(row, evidence[at]!, widths);
      return points.map((point, h) => point + side * z * factor * half[h]!);
    };
    const bounds = { lower: bound(-1, lower[parts[at]!]!), upper: bound(1, upper[parts[at]!]!) };
    return scoreOf(testSeries(row), points, bounds);
  });
  for (const place of [null, ...new Set(places)]) {
    const some = scores.filter((_, at) => place === null || places[at] === place);
    const { coverage, msis } = groupScore(some);
    process.stderr.write(
      `${name}, ${place === null ? 'all' : `class ${place}`}: coverage at 95 % on unseen parts ${coverage!.toFixed(1)} %, MSIS ${msis!.toFixed(3)}\n`,
    );
  }
}

/** Returns the mean weight of each method over the series. */
function meanShares(
  methods: readonly string[],
  weights: readonly Record<string, number>[],
): Record<string, number> {
  const share = (key: string) => mean(weights.map((each) => each[key]!));
  return Object.fromEntries(methods.map((key) => [key, Math.round(1e4 * share(key)) / 1e4]));
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

function combinationOf(model: WeightModel, sample: Sample): Combined {
  const byKey = featureWeights(model, sample.features);
  const weights = Float64Array.from(model.methods, (key) => byKey[key]!);
  const points = combined(sample, weights);
  return { points, shares: model.methods.map((key, at) => ({ key, weight: weights[at]! })) };
}

/**
 * Returns a series with only the data that its score needs. Its training values are chosen so that they give
 * the recorded scale of MASE.
 */
function testSeries({ id, frequency, actual, scale }: LearningRow) {
  return { id, frequency, period: 1, horizon: actual.length, train: [0, scale], test: actual };
}
