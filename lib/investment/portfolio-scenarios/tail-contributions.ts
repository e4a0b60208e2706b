import { tailWeights } from '#lib/numerics/risk/es-rockafellar-uryasev.ts';
import { intervalRanks } from '#lib/numerics/scenario/quantile-interval.ts';

/** Samples by their profit, and the weight of each in a measure: the measure is the sum of weight x profit. */
export type TailWeights = { samples: Uint32Array; weights: Float64Array };

/**
 * Returns the weights of the expected shortfall of Rockafellar and Uryasev in the samples of the tail.
 *
 * `order`: the samples in ascending order of the profit of the portfolio, ties by sample.
 * Source: Tasche, "Euler Allocation" (2008), 2.3: the contribution of a position is its mean loss in the tail.
 */
export function shortfallWeights(order: Uint32Array, level: number): TailWeights {
  const { whole, each, rest } = tailWeights(order.length, level);
  const samples = order.slice(0, whole + 1);
  return { samples, weights: Float64Array.from(samples, (_, at) => (at < whole ? -each : -rest)) };
}

/**
 * Returns the weights of the value at risk: the mean over the samples whose ranks are in the 95 % interval of the
 * quantile, scaled so that it equals the value at risk. One sample alone would give each position whatever happened to
 * it there. Where the mean has another sign, or half or twice the size, the sample of the value at risk alone counts.
 *
 * `profits`: by sample. `order` as for `shortfallWeights`. Source: Hallerbach, "Decomposing Portfolio Value-at-Risk"
 * (2003): conditional means around the quantile.
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

/** Returns the sum of weight x profit over the samples, in their order. */
export function weightedProfit(
  { samples, weights }: TailWeights,
  profitOf: (sample: number) => number,
): number {
  let total = 0;
  for (let at = 0; at < samples.length; at += 1) total += weights[at]! * profitOf(samples[at]!);
  return total;
}
