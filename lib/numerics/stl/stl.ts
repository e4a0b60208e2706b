import { type Loess, type Points, smooth, smoothAt } from './loess.ts';
import { bisquareWeights } from './robustness.ts';

export type Decomposition = { seasonal: Float64Array; trend: Float64Array; remainder: Float64Array };

/**
 * Options of STL. `seasonal`, `trend` and `lowPass` are the widths of the three smoothers, all odd; see `stlWidths`.
 */
export type StlOptions = { period: number; seasonal: number; robust: boolean };

/**
 * Decomposes a series into season, trend and remainder by loess: `values = seasonal + trend + remainder`.
 *
 * Needs more than two whole periods, and `period >= 2`. Seasonal smoothing has degree 0; trend and low pass have degree
 * 1; jumps are a tenth of each width. Without `robust`, the decomposition has two inner passes. With `robust`, it has
 * one inner pass and 15 outer passes with bisquare weights, as the authors advise.
 * Source: Cleveland, Cleveland, McRae and Terpenning, "STL: A Seasonal-Trend Decomposition Procedure Based on Loess",
 * Journal of Official Statistics 6 (1990), sections 2.2 (inner loop), 2.3 (outer loop), 3.3-3.5 (widths).
 *
 * @example
 * stl(values, { period: 12, seasonal: 11, robust: false }).seasonal;
 */
export function stl(values: Float64Array, { period, seasonal, robust }: StlOptions): Decomposition {
  const n = values.length;
  const pass = innerLoop(values, period, {
    seasonal: loess(seasonal, 0),
    trend: loess(nextOdd((1.5 * period) / (1 - 1.5 / seasonal)), 1),
    lowPass: loess(nextOdd(period), 1),
  });
  const result = {
    seasonal: new Float64Array(n),
    trend: new Float64Array(n),
    remainder: new Float64Array(n),
  };
  const outer = robust ? 15 : 0;
  let weights: Float64Array | undefined;
  for (let round = 0; round <= outer; round++) {
    for (let inner = 0; inner < (robust ? 1 : 2); inner++) pass(result, weights);
    for (let t = 0; t < n; t++) result.remainder[t] = values[t]! - result.seasonal[t]! - result.trend[t]!;
    if (round < outer) weights = bisquareWeights(result.remainder);
  }
  return result;
}

function loess(width: number, degree: 0 | 1): Loess {
  return { width, degree, jump: Math.ceil(width / 10) };
}

function nextOdd(width: number): number {
  const whole = Math.ceil(width);
  return whole % 2 === 0 ? whole + 1 : whole;
}

type Smoothers = { seasonal: Loess; trend: Loess; lowPass: Loess };

/** Runs one pass of the inner loop: a new seasonal component from the detrended values, then a new trend. */
function innerLoop(values: Float64Array, period: number, { seasonal, trend, lowPass }: Smoothers) {
  const n = values.length;
  const longest = n + 2 * period;
  const detrended = new Float64Array(longest);
  const cycle = new Float64Array(longest);
  const averaged = new Float64Array(longest);
  const low = new Float64Array(longest);
  const work = new Float64Array(longest + 1);
  const smoothCycle = cycleSubseries(n, period, seasonal);
  return (result: Decomposition, weights?: Float64Array): void => {
    for (let t = 0; t < n; t++) detrended[t] = values[t]! - result.trend[t]!;
    smoothCycle(detrended, weights, cycle, work);
    movingAverage(cycle, longest, period, averaged);
    movingAverage(averaged, longest - period + 1, period, low);
    movingAverage(low, longest - 2 * period + 2, 3, averaged);
    smooth({ values: averaged, length: n }, lowPass, low, 0, work);
    for (let t = 0; t < n; t++) {
      result.seasonal[t] = cycle[period + t]! - low[t]!;
      detrended[t] = values[t]! - result.seasonal[t]!;
    }
    smooth({ values: detrended, length: n, robustness: weights }, trend, result.trend, 0, work);
  };
}

/** Smooths the values of each position in the period separately, and extends them by one period at both ends. */
function cycleSubseries(n: number, period: number, loess: Loess) {
  const longest = Math.floor((n - 1) / period) + 1;
  const values = new Float64Array(longest);
  const robustness = new Float64Array(longest);
  const smoothed = new Float64Array(longest + 2);
  return (source: Float64Array, weights: Float64Array | undefined, out: Float64Array, work: Float64Array) => {
    for (let place = 0; place < period; place++) {
      const length = Math.floor((n - place - 1) / period) + 1;
      for (let i = 0; i < length; i++) {
        values[i] = source[i * period + place]!;
        if (weights) robustness[i] = weights[i * period + place]!;
      }
      const points: Points = { values, length, robustness: weights && robustness };
      smooth(points, loess, smoothed, 1, work);
      const before = smoothAt(points, loess, { x: 0, left: 1, right: Math.min(loess.width, length) }, work);
      smoothed[0] = before === before ? before : smoothed[1]!;
      const left = Math.max(1, length - loess.width + 1);
      const after = smoothAt(points, loess, { x: length + 1, left, right: length }, work);
      smoothed[length + 1] = after === after ? after : smoothed[length]!;
      for (let i = 0; i < length + 2; i++) out[i * period + place] = smoothed[i]!;
    }
  };
}

/** Writes the `length - width + 1` moving means of `width` values each to `out`, computed with a running sum. */
function movingAverage(values: Float64Array, length: number, width: number, out: Float64Array): void {
  let sum = 0;
  for (let t = 0; t < width; t++) sum += values[t]!;
  out[0] = sum / width;
  for (let t = width; t < length; t++) {
    sum += values[t]! - values[t - width]!;
    out[t - width + 1] = sum / width;
  }
}
