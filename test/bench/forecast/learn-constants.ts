import { readFileSync } from 'node:fs';
import { mean } from 'simple-statistics';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { featureWeights, type WeightModel } from '#lib/forecasting/engine/feature-weights.ts';
import type { WidthEvidence, WidthModel } from '#lib/forecasting/engine/interval-widening.ts';
import { featureNames } from '#lib/forecasting/engine/series-features.ts';
import type { Frequency } from '#lib/forecasting/engine/forecast-series.types.ts';
import { backtestWeights } from '#lib/forecasting/engine/weights.ts';
import { combined, fitWeights, type Sample } from './fit-weights.ts';
import { fitWidths } from './fit-widths.ts';
import {
  evidenceOf,
  factorOf,
  halfWidths,
  ratiosOf,
  widthSamplesOf,
  type Combined,
} from './learning-widths.ts';
import { readLearningRows, type LearningRow } from './learning-rows.ts';
import { groupScore, owaOf, scoreOf } from './scores.ts';

/**
 * Learns the content of `lib/forecasting/engine/learned-constants-v2.json` and prints it:
 *
 *     python3 test/bench/forecast/train-networks.py m4_train_pool.jsonl.gz networks.json unseen.jsonl
 *     node test/bench/forecast/learning-rows.ts m4_train_pool.jsonl.gz pool.jsonl
 *     node test/bench/forecast/learning-rows.ts m4_extra_dev.jsonl.gz earlier.jsonl earlier
 *     node test/bench/forecast/learn-constants.ts pool.jsonl unseen.jsonl earlier.jsonl > constants.json
 *
 * The constants of yearly, quarterly and monthly series are learned on 4,528 series of the M3 and M4 competitions, none
 * of which the bench uses for its measurements. The forecasts of the networks are those of networks that did not see
 * the series. The constants of weekly and hourly series are learned on the training parts of 40 and 30 series, each cut
 * off before its last horizons; no test part is read. The script also reports the accuracy and the coverage on series
 * that the weights were not learned on (cross-validated in five parts), to which the widths and the factors are fitted.
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
/** The methods that are used only for weekly and hourly series, and the penalty of weights without features. */
const RARE_METHODS: readonly string[] = ['mstl_arima', 'mstl_theta'];
const RARE_PENALTY = { intercept: 0.01, slope: 0 };
const NETWORK = 'pooled_network';
const LEVELS = [50, 80, 95];
const PARTS = 5;

const [poolFile, unseenFile, earlierFile] = process.argv.slice(2);
if (poolFile === undefined || unseenFile === undefined || earlierFile === undefined)
  throw new Error('usage: <pool.jsonl> <unseen.jsonl> <earlier.jsonl>');
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
const earlierRows = readLearningRows([earlierFile]).filter(({ scale }) => scale > 0);
const learned = Object.fromEntries(FREQUENCIES.map((frequency) => [frequency, learn(frequency)]));
const rare = Object.fromEntries(RARE_FREQUENCIES.map((frequency) => [frequency, learnRare(frequency)]));
process.stdout.write(`${JSON.stringify({ features: featureNames, ...learned, ...rare }, null, 2)}\n`);

type Fitted = {
  weights: WeightModel;
  shares: Record<string, number>;
  widths: WidthModel;
  factors: { level: number; factor: number }[];
};

function learn(frequency: Frequency): Fitted {
  const methods = [...METHODS, ...(frequency === 'yearly' ? [] : SEASONAL_METHODS), NETWORK];
  const mine = rows.filter((row) => row.frequency === frequency);
  const samples = mine.map((row) => sampleOf(row, methods));
  return fitted(frequency, mine, {
    samples,
    fit: (some) => fitWeights(methods, some),
    partOf: (_, at) => at % PARTS,
  });
}

/**
 * Learns weights without features, and the factors of intervals. There are too few series to fit exponents, so the
 * exponents of monthly series are used. The parts of the cross-validation do not divide a series.
 */
function learnRare(frequency: Frequency): Omit<Fitted, 'weights'> {
  const methods = [...METHODS, ...SEASONAL_METHODS, ...RARE_METHODS];
  const mine = earlierRows.filter((row) => row.frequency === frequency);
  const samples = mine.map((row) => ({ ...sampleOf(row, methods), features: [] }));
  const ids = [...new Set(mine.map(({ id }) => seriesOf(id)))];
  const { weights: _, ...rest } = fitted(frequency, mine, {
    samples,
    fit: (some) => fitWeights(methods, some, RARE_PENALTY),
    partOf: ({ id }) => ids.indexOf(seriesOf(id)) % PARTS,
    widths: learned['monthly']!.widths,
  });
  return rest;
}

function seriesOf(id: string): string {
  return id.split('@')[0]!;
}

type Fitting = {
  samples: readonly Sample[];
  fit(samples: readonly Sample[]): WeightModel;
  /** The part of the cross-validation that a row belongs to. */
  partOf(row: LearningRow, at: number): number;
  /** The exponents of the widening; undefined if they are fitted to the rows. */
  widths?: WidthModel;
};

function fitted(
  frequency: Frequency,
  mine: readonly LearningRow[],
  { samples, fit, partOf, widths: given }: Fitting,
): Fitted {
  const parts = mine.map(partOf);
  const models = Array.from({ length: PARTS }, (_, part) =>
    fit(samples.filter((_, at) => parts[at] !== part)),
  );
  const unseen = samples.map((sample, at) => combinationOf(models[parts[at]!]!, sample));
  const scores = unseen.map(({ points }, at) => scoreOf(testSeries(mine[at]!), points, null));
  const owa = owaOf(
    scores,
    samples.map(({ naive2 }) => naive2),
  );
  process.stderr.write(`${frequency}: ${mine.length} series, OWA on unseen parts ${owa.toFixed(4)}\n`);
  const evidence = unseen.map((each, at) => evidenceOf(mine[at]!, each));
  const widthSamples = mine.map((row, at) => widthSamplesOf(row, unseen[at]!.points, evidence[at]!));
  const widthsOfParts = Array.from(
    { length: PARTS },
    (_, part) => given ?? fitWidths(widthSamples.filter((_, at) => parts[at] !== part).flat()),
  );
  reportCoverage(frequency, mine, { parts, unseen, evidence, widthsOfParts });
  const widths = given ?? fitWidths(widthSamples.flat());
  const ratios = ratiosOf(mine, { unseen, evidence, widths });
  const weights = fit(samples);
  return {
    weights,
    shares: meanShares(weights, samples),
    widths,
    factors: LEVELS.map((level) => ({ level, factor: Math.round(1000 * factorOf(ratios, level)) / 1000 })),
  };
}

/** Reports the coverage at 95 % and MSIS of each part with widths and factors of the other parts. */
function reportCoverage(
  frequency: Frequency,
  mine: readonly LearningRow[],
  {
    parts,
    unseen,
    evidence,
    widthsOfParts,
  }: {
    parts: readonly number[];
    unseen: readonly Combined[];
    evidence: readonly WidthEvidence[];
    widthsOfParts: readonly WidthModel[];
  },
): void {
  const z = normalQuantile(0.975);
  const factors = widthsOfParts.map((widths, part) => {
    const others = mine.flatMap((_, at) => (parts[at] === part ? [] : [at]));
    const some = { unseen: others.map((at) => unseen[at]!), evidence: others.map((at) => evidence[at]!) };
    const ratios = ratiosOf(
      others.map((at) => mine[at]!),
      { ...some, widths },
    );
    return factorOf(ratios, 95);
  });
  const scores = mine.map((row, at) => {
    const part = parts[at]!;
    const half = halfWidths(row, evidence[at]!, widthsOfParts[part]!);
    const { points } = unseen[at]!;
    const bound = (side: number) => points.map((point, h) => point + side * z * factors[part]! * half[h]!);
    return scoreOf(testSeries(row), points, { lower: bound(-1), upper: bound(1) });
  });
  const { coverage, msis } = groupScore(scores);
  process.stderr.write(
    `${frequency}: coverage at 95 % on unseen parts ${coverage!.toFixed(1)} %, MSIS ${msis!.toFixed(3)}\n`,
  );
}

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
