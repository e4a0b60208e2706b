/**
 * Computes the coefficients of a stationary autoregression from unconstrained numbers. Each number x becomes a partial
 * autocorrelation `x / sqrt(1 + x^2)`. The Durbin-Levinson recursion converts these to coefficients.
 *
 * `out[0..count-1]` are the coefficients of lags 1..count; `work` has at least `count` elements.
 * Source: Monahan, "A note on enforcing stationarity in autoregressive-moving average models", Biometrika 71 (1984),
 * with his squeezing function.
 *
 * @example
 * stationaryCoefficients([0.75], 0, 1, out, work); // out[0] is 0.6
 */
export function stationaryCoefficients(
  x: Float64Array,
  from: number,
  count: number,
  out: Float64Array,
  work: Float64Array,
): void {
  for (let k = 0; k < count; k++) {
    const free = x[from + k]!;
    const partial = free / Math.sqrt(1 + free * free);
    for (let j = 0; j < k; j++) work[j] = out[j]! - partial * out[k - 1 - j]!;
    for (let j = 0; j < k; j++) out[j] = work[j]!;
    out[k] = partial;
  }
}

/** Returns the unconstrained number of a partial autocorrelation between -1 and 1: the inverse of `squeeze`. */
export function freeOf(partial: number): number {
  return partial / Math.sqrt(1 - partial * partial);
}

/**
 * Returns the partial autocorrelations of an autoregression by the inverse recursion. Returns undefined if the
 * magnitude of a partial autocorrelation reaches 1, which means that a root of `1 - a_1 z - ... - a_k z^k` is not
 * outside the unit circle (Schur and Cohn).
 */
export function partialAutocorrelations(coefficients: ArrayLike<number>): Float64Array | undefined {
  const rest = Float64Array.from(coefficients);
  const previous = new Float64Array(rest.length);
  const partials = new Float64Array(rest.length);
  for (let k = rest.length - 1; k >= 0; k--) {
    const partial = rest[k]!;
    if (!(Math.abs(partial) < 1)) return undefined;
    partials[k] = partial;
    const scale = 1 - partial * partial;
    for (let j = 0; j < k; j++) previous[j] = (rest[j]! + partial * rest[k - 1 - j]!) / scale;
    rest.set(previous.subarray(0, k));
  }
  return partials;
}

/** Whether all roots of `1 - a_1 z^lag - a_2 z^(2 lag) - ...` have a magnitude above `radius`. */
export function rootsBeyond(coefficients: ArrayLike<number>, lag: number, radius: number): boolean {
  let growth = 1;
  for (let step = 0; step < lag; step++) growth *= radius;
  let factor = 1;
  const scaled = Float64Array.from(coefficients, (coefficient) => coefficient * (factor *= growth));
  return partialAutocorrelations(scaled) !== undefined;
}
