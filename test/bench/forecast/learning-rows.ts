import { createWriteStream, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { pathToFileURL } from 'node:url';
import { exp } from '#lib/numerics/exponential.ts';
import { seasonalNaiveScale } from '#lib/forecasting/engine/error-metrics.ts';
import { periodOf } from '#lib/forecasting/engine/frequency.ts';
import { hasFiniteErrors, intervalSources, meanWidth } from '#lib/forecasting/engine/intervals.ts';
import { prepareSeries } from '#lib/forecasting/engine/prepare-series.ts';
import { methodPool } from '#lib/forecasting/engine/method-pool.ts';
import { runPool } from '#lib/forecasting/engine/run-pool.ts';
import { seriesFeatures } from '#lib/forecasting/engine/series-features.ts';
import type { Frequency } from '#lib/forecasting/engine/forecast-series.types.ts';
import { readSeriesFile, type TestSeries } from './series-file.ts';

/**
 * The training data of one series: its features, its observed values, the widths of its intervals, and the
 * forecast and backtest error of every method.
 */
export type LearningRow = {
  id: string;
  frequency: Frequency;
  features: number[];
  /** The scale of MASE. */
  scale: number;
  /** The mean absolute change from season to season. The intervals depend on this change. */
  change: number;
  actual: number[];
  /** The mean standard error of the methods that the intervals are computed from. */
  width: number[];
  methods: Record<string, { points: number[]; error: number | null }>;
};

/** Returns the number of values of the series of a row, from its first feature. */
export function observationsOf({ features }: LearningRow): number {
  return Math.round(exp(features[0]!));
}

/** Reads files of learning rows, one JSON document per line. */
export function readLearningRows(files: readonly string[]): LearningRow[] {
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').split('\n'));
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as LearningRow);
}

function rowOf({ id, frequency, horizon, period, train, test }: TestSeries): LearningRow {
  const prepared = prepareSeries({ frequency, values: train }, { start: 0, values: train }, { horizon });
  const candidates = runPool({
    pool: methodPool,
    series: prepared.series,
    horizon,
    origins: prepared.origins,
    priors: {},
  });
  const sources = intervalSources(candidates.filter(({ forecast }) => hasFiniteErrors(forecast)));
  const had = candidates.filter(({ forecast }) => forecast !== null);
  return {
    id,
    frequency,
    features: seriesFeatures({ values: prepared.series.values, period: periodOf[frequency] }),
    scale: seasonalNaiveScale(train, period),
    change: seasonalNaiveScale(train, periodOf[frequency]),
    actual: test,
    width: [
      ...meanWidth(
        sources.map(({ forecast }) => forecast!.standardErrors!),
        horizon,
      ),
    ],
    methods: Object.fromEntries(
      had.map(({ entry, forecast, error }) => [entry.key, { points: [...forecast!.point], error }]),
    ),
  };
}

/** Writes the learning rows of a file of series. Usage: `node learning-rows.ts <series.jsonl.gz> <rows.jsonl>`. */
async function writeRows([input, output]: readonly string[]): Promise<void> {
  if (input === undefined || output === undefined) throw new Error('usage: <series.jsonl.gz> <rows.jsonl>');
  const out = createWriteStream(output);
  const series = readSeriesFile(input);
  for (const [at, each] of series.entries()) {
    if (at % 100 === 0) process.stderr.write(`${at} of ${series.length}\n`);
    if (!out.write(`${JSON.stringify(rowOf(each))}\n`)) await once(out, 'drain');
  }
  out.end();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await writeRows(process.argv.slice(2));
