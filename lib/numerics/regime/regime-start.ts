import type { Observations } from './hidden-markov.ts';

/** The boundaries (`cuts`) between regimes: the share of the months that are calmer, by the number of regimes. */
export const REGIME_CUTS: Readonly<Record<number, readonly number[]>> = { 1: [], 2: [0.7], 3: [0.5, 0.85] };

const SURE = 0.95;

/**
 * Returns the regime probabilities (T-by-K) that start a fit. Months are ranked by the centred three-month mean of
 * their squared standardised returns, and `cuts`, the boundaries as shares of the months, divide the ranking into
 * regimes. The regime of a month gets the probability 0.95; the other regimes share the remaining 0.05.
 *
 * `cuts` ascend within 0..1; K is the number of cuts plus one. Source: recipe `regime-ghmm/1`.
 */
export function startProbabilities(observations: Observations, cuts: readonly number[]): Float64Array {
  const turbulence = smoothedTurbulence(observations);
  const T = turbulence.length;
  const K = cuts.length + 1;
  const order = Array.from(turbulence, (_, t) => t).sort(
    (one, other) => turbulence[one]! - turbulence[other]! || one - other,
  );
  const probabilities = new Float64Array(T * K);
  for (const [rank, t] of order.entries()) {
    const regime = cuts.filter((cut) => rank >= cut * T).length;
    for (let k = 0; k < K; k += 1)
      probabilities[t * K + k] = K === 1 ? 1 : k === regime ? SURE : (1 - SURE) / (K - 1);
  }
  return probabilities;
}

function smoothedTurbulence({ rows, dimensions: D }: Observations): Float64Array {
  const T = rows.length / D;
  const squares = new Float64Array(T);
  for (let d = 0; d < D; d += 1) {
    let total = 0;
    for (let t = 0; t < T; t += 1) total += rows[t * D + d]!;
    const mean = total / T;
    let variance = 0;
    for (let t = 0; t < T; t += 1) variance += (rows[t * D + d]! - mean) * (rows[t * D + d]! - mean);
    variance /= T;
    for (let t = 0; t < T; t += 1) {
      const off = rows[t * D + d]! - mean;
      squares[t]! += variance > 0 ? (off * off) / variance / D : 0;
    }
  }
  return Float64Array.from(squares, (_, t) => {
    const window = squares.subarray(Math.max(0, t - 1), t + 2);
    return window.reduce((total, each) => total + each, 0) / window.length;
  });
}
