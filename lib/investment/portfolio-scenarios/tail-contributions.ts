import { tailWeights } from '#lib/numerics/risk/es-rockafellar-uryasev.ts';
import { intervalRanks } from '#lib/numerics/scenario/quantile-interval.ts';

/**
 * A risk measure as a weighted sum of profits: the indices of the samples, and the weight of each sample. The
 * measure is the sum of weight x profit.
 */
export type TailWeights = { samples: Uint32Array; weights: Float64Array };

/**
 * Returns the weights of the tail samples in the expected shortfall of Rockafellar and Uryasev.
 *
 * `order`: the indices of the samples in ascending order of the portfolio profit; equal profits are ordered
 * by index.
 * Source: Tasche, "Euler Allocation" (2008), 2.3: the contribution of a position is its mean loss in the
 * tail.
 */
export function shortfallWeights(order: Uint32Array, level: number): TailWeights {
  const { whole, each, rest } = tailWeights(order.length, level);
  const samples = order.slice(0, whole + 1);
  return { samples, weights: Float64Array.from(samples, (_, at) => (at < whole ? -each : -rest)) };
}

/**
 * Returns the weights of samples in the value at risk. The weights are equal for all samples whose ranks are
 * in the 95 % interval of the quantile, and are scaled so that the weighted sum of the profits is the value
 * at risk. With a single sample, the contribution of a position would depend on its random return in this
 * sample. If the scale is not between 0.5 and 2, only the sample of the value at risk has a weight.
 *
 * `profits`: profits by sample. `order`: see `shortfallWeights`.
 * Source: Hallerbach, "Decomposing Portfolio Value-at-Risk" (2003): conditional means around the quantile.
 */
export function valueAtRiskWeights(order: Uint32Array, profits: Float64Array, level: number): TailWeights {
  const n = order.length;
  const { whole } = tailWeights(n, level);
  const { low, high } = intervalRanks(n, 1 - level);
  const samples = order.slice(Math.min(low, whole), Math.max(high, whole) + 1);
  let total = 0;
  for (const sample of samples) total += profits[sample]!;
  const wanted = profits[order[whole]!]!;
  const scale = (wanted * samples.length) / total;
  if (!(scale >= 0.5 && scale <= 2))
    return { samples: Uint32Array.of(order[whole]!), weights: Float64Array.of(-1) };
  return { samples, weights: new Float64Array(samples.length).fill(-scale / samples.length) };
}

/** Returns the sum of weight x profit over the samples, in the order of `samples`. */
export function weightedProfit(
  { samples, weights }: TailWeights,
  profitOf: (sample: number) => number,
): number {
  let total = 0;
  for (let at = 0; at < samples.length; at += 1) total += weights[at]! * profitOf(samples[at]!);
  return total;
}
