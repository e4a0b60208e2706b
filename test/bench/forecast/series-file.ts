import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import type { Frequency } from '#lib/forecasting/engine/forecast-series.types.ts';

const GOLDEN = new URL('../../golden/forecasting/smoothing.json', import.meta.url);

/**
 * A series, and the later values that its forecast is tested on. `period` is the length of the season by
 * which errors are scaled, as in the competition.
 */
export type TestSeries = {
  id: string;
  frequency: Frequency;
  period: number;
  horizon: number;
  train: number[];
  test: number[];
};

const frequencyOf: Readonly<Record<string, Frequency>> = {
  Y: 'yearly',
  Q: 'quarterly',
  M: 'monthly',
  W: 'weekly',
  D: 'daily',
  H: 'hourly',
};

/** Reads a gzipped file of JSON lines, one series each. Throws on an unknown frequency. */
export function readSeriesFile(file: string): TestSeries[] {
  const lines = gunzipSync(readFileSync(file)).toString('utf8').split('\n');
  return lines.filter((line) => line !== '').map(readSeries);
}

/**
 * Reads the long published series of the golden files. The last values of each series become its test values.
 */
export function publicSeries(): TestSeries[] {
  const { cases } = JSON.parse(readFileSync(GOLDEN, 'utf8')) as {
    cases: { name: string; period: number; values: number[]; horizon: number }[];
  };
  return cases.map(({ name: id, period, values, horizon }) => ({
    id,
    frequency: period === 12 ? 'monthly' : period === 4 ? 'quarterly' : 'yearly',
    period: period === 12 || period === 4 ? period : 1,
    horizon,
    train: values.slice(0, -horizon),
    test: values.slice(-horizon),
  }));
}

/** Takes about `count` series of each frequency, evenly spread over the file. */
export function sampleOf(series: readonly TestSeries[], count: number): TestSeries[] {
  return Object.values(Object.groupBy(series, ({ frequency }) => frequency)).flatMap((group) => {
    const step = Math.max(1, Math.floor(group.length / count));
    return group.filter((_, at) => at % step === 0).slice(0, count);
  });
}

function readSeries(line: string): TestSeries {
  const { frequency, ...rest } = JSON.parse(line) as TestSeries & { frequency: string };
  const known = frequencyOf[frequency];
  if (!known) throw new Error(`the frequency ${frequency} of ${rest.id} is not known`);
  return { ...rest, frequency: known };
}
