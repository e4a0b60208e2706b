import { decayedMean } from '#lib/numerics/decayed-mean.ts';
import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import type { MovingFunction } from './expression.ts';

/**
 * The moving functions. Each function takes a window with the oldest value first, in which a missing value is NaN. For
 * `mean`, `sd`, `min` and `max`, the window holds the last `periods` values. For `lag` and the returns, the window
 * holds one more value. The result is NaN if a required value is missing, and for returns if a price is not above 0.
 */
export const movingRules: Readonly<Record<MovingFunction, (window: Float64Array) => number>> = {
  lag: (window) => window[0]!,
  return: (window) => (window[0]! > 0 ? window.at(-1)! / window[0]! - 1 : Number.NaN),
  log_return: (window) =>
    window[0]! > 0 && window.at(-1)! > 0 ? ln(window.at(-1)! / window[0]!) : Number.NaN,
  mean: (window) => (isWhole(window) ? mean(window) : Number.NaN),
  sd: (window) => (isWhole(window) ? deviation(window) : Number.NaN),
  min: (window) => (isWhole(window) ? window.reduce((min, value) => Math.min(min, value)) : Number.NaN),
  max: (window) => (isWhole(window) ? window.reduce((max, value) => Math.max(max, value)) : Number.NaN),
};

/**
 * Returns the decay factor of the weights: the weight of a value divided by the weight of the value one period later.
 */
export function decayOf(by: 'alpha' | 'half_life', amount: number): number {
  return by === 'alpha' ? 1 - amount : exp(-ln(2) / amount);
}

/** Returns the exponentially weighted mean of a window; NaN if the newest value is missing. */
export function ewma(window: Float64Array, decay: number): number {
  return Number.isNaN(window.at(-1)) ? Number.NaN : decayedMean(window, decay);
}

/** Returns the standard deviation. For equal values it is exactly 0, without rounding errors. */
function deviation(window: Float64Array): number {
  return window.every((value) => value === window[0]) ? 0 : standardDeviation(window, { ddof: 1 });
}

function isWhole(window: Float64Array): boolean {
  for (let at = 0; at < window.length; at += 1) if (Number.isNaN(window[at]!)) return false;
  return true;
}
