import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';

const GOLDEN = 0.6180339887498949;
const GRID = 16;
const WIDTH = 1e-6;

/**
 * Chooses the Box-Cox lambda within [0, 1] for which the spread of the seasonal cycles depends least on their level.
 * This lambda has the smallest coefficient of variation of s_i / mean_i^(1 - lambda) over the whole cycles i at the end
 * of the series (pairs of values without a season). Returns 1, no transform, if the series has at most two cycles or a
 * value that is not positive. Precision: 1e-6.
 *
 * Never throws.
 * Source: Guerrero, "Time-series analysis supported by power transformations", Journal of Forecasting 12 (1993) 37-48.
 *
 * @example
 * guerreroLambda(airPassengers, 12); // 0 (-0.29 without the bound)
 */
export function guerreroLambda(values: Float64Array, period: number): number {
  const length = Math.max(2, period);
  const cycles = Math.floor(values.length / length);
  if (values.length <= 2 * period || cycles < 2) return 1;
  for (let t = 0; t < values.length; t += 1) if (!(values[t]! > 0)) return 1;
  const { logMeans, deviations } = cyclesOf(values, length, cycles);
  const ratios = new Float64Array(cycles);
  const variation = (lambda: number): number => variationAt(lambda, logMeans, deviations, ratios);
  let best = 0;
  let min = variation(0);
  for (let step = 1; step <= GRID; step += 1) {
    const value = variation(step / GRID);
    if (value < min) [best, min] = [step, value];
  }
  if (!Number.isFinite(min)) return 1;
  const lambda = goldenSection(variation, Math.max(0, best - 1) / GRID, Math.min(GRID, best + 1) / GRID);
  if (variation(lambda) < min) return lambda;
  return best / GRID;
}

function cyclesOf(values: Float64Array, length: number, cycles: number) {
  const logMeans = new Float64Array(cycles);
  const deviations = new Float64Array(cycles);
  const first = values.length - cycles * length;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const from = first + cycle * length;
    let sum = 0;
    for (let t = from; t < from + length; t += 1) sum += values[t]!;
    const mean = sum / length;
    let squares = 0;
    for (let t = from; t < from + length; t += 1) squares += (values[t]! - mean) * (values[t]! - mean);
    logMeans[cycle] = ln(mean);
    deviations[cycle] = Math.sqrt(squares / (length - 1));
  }
  return { logMeans, deviations };
}

/** Returns the standard deviation of the ratios divided by their mean; NaN if all deviations are 0. */
function variationAt(
  lambda: number,
  logMeans: Float64Array,
  deviations: Float64Array,
  ratios: Float64Array,
): number {
  const k = ratios.length;
  let sum = 0;
  for (let i = 0; i < k; i += 1) {
    ratios[i] = deviations[i]! * exp((lambda - 1) * logMeans[i]!);
    sum += ratios[i]!;
  }
  const mean = sum / k;
  let squares = 0;
  for (let i = 0; i < k; i += 1) squares += (ratios[i]! - mean) * (ratios[i]! - mean);
  return Math.sqrt(squares / (k - 1)) / mean;
}

/**
 * Minimises a function by Kiefer's search ("Sequential minimax search for a maximum", 1953), down to an interval of
 * `WIDTH`.
 */
function goldenSection(f: (x: number) => number, from: number, to: number): number {
  let [low, high] = [from, to];
  let a = high - GOLDEN * (high - low);
  let b = low + GOLDEN * (high - low);
  let [atA, atB] = [f(a), f(b)];
  while (high - low > WIDTH) {
    if (atA <= atB) {
      high = b;
      [b, atB] = [a, atA];
      a = high - GOLDEN * (high - low);
      atA = f(a);
    } else {
      low = a;
      [a, atA] = [b, atB];
      b = low + GOLDEN * (high - low);
      atB = f(b);
    }
  }
  return (low + high) / 2;
}
