import { decayedMean } from '#lib/numerics/decayed-mean.ts';
import { mean, standardDeviation } from '#lib/numerics/descriptive.ts';
import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import type { MovingFunction } from './expression.ts';

/**
 * What a moving function makes of its window, oldest first and NaN where missing: of the last `periods` values for
 * `mean`, `sd`, `min` and `max`, of those `periods` apart for `lag` and the returns, so one value more. NaN where a value
 * it needs is missing, and for returns where a price is not above 0.
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

/** How much of its weight a value keeps from one period to the next. */
export function decayOf(by: 'alpha' | 'half_life', amount: number): number {
  return by === 'alpha' ? 1 - amount : exp(-ln(2) / amount);
}

/** The exponentially weighted mean of a window; NaN where its newest value is missing. */
export function ewma(window: Float64Array, decay: number): number {
  return Number.isNaN(window.at(-1)) ? Number.NaN : decayedMean(window, decay);
}

/** Of equal values it is 0, which rounding would miss. */
function deviation(window: Float64Array): number {
  return window.every((value) => value === window[0]) ? 0 : standardDeviation(window, { ddof: 1 });
}

function isWhole(window: Float64Array): boolean {
  for (let at = 0; at < window.length; at += 1) if (Number.isNaN(window[at]!)) return false;
  return true;
}
