import { bootstrapExpectation } from '#lib/numerics/simulation/bootstrap-expectation.ts';
import type { BootstrapPlan } from '#lib/numerics/bootstrap/bootstrap-rows.ts';
import { expMinusOne } from '#lib/numerics/exponential-minus-one.ts';
import { exp } from '#lib/numerics/exponential.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import { normalCdf } from '#lib/numerics/normal-cdf.ts';
import { normalQuantile } from '#lib/numerics/normal-quantile.ts';
import { rowGrowth, type Allocation } from '#lib/numerics/simulation/portfolio-growth.ts';
import type { ResolvedSource } from './simulation-source.schema.ts';

/** Exact figures of the terminal wealth of one unit without flows. */
export type ClosedForm = {
  mean: number;
  deviation: number;
  /** Returns the p-quantile; null if there is no closed form of it. */
  quantile: ((p: number) => number) | null;
  /**
   * Returns the probability that the wealth at the end of a month is at least an amount; null if there is no
   * closed form of it.
   */
  reaches: ((month: number, amount: number) => number) | null;
};

/** Whether the weights are the same at the start of every month, so that months are independent. */
function areWeightsReset({ assets, targets, rebalancing }: Allocation): boolean {
  return (
    assets === 1 || (rebalancing === 'monthly' && targets.every((each, at) => each === targets[at % assets]!))
  );
}

/**
 * Returns the exact figures of a bootstrap: products of the expectations of its blocks of months. Null if
 * weights drift between months or change.
 */
export function historyForm(
  growth: Float64Array,
  plan: BootstrapPlan,
  allocation: Allocation,
): ClosedForm | null {
  if (!areWeightsReset(allocation)) return null;
  const whole = rowGrowth(growth, allocation.targets.subarray(0, allocation.assets), allocation.fee);
  const mean = bootstrapExpectation(whole, plan);
  const second = bootstrapExpectation(
    whole.map((factor) => factor * factor),
    plan,
  );
  return { mean, deviation: Math.sqrt(Math.max(0, second - mean * mean)), quantile: null, reaches: null };
}

/**
 * Returns the exact figures for normally distributed log returns: those of a lognormal variable for one
 * asset, and the mean and the standard deviation for several assets. Null for the Student t distribution, for
 * which the mean growth is infinite, and if weights drift or change.
 */
export function lawForm(
  { means, covariance, degrees }: Extract<ResolvedSource, { kind: 'parametric' }>,
  allocation: Allocation,
  horizon: number,
): ClosedForm | null {
  if (degrees !== null || !areWeightsReset(allocation)) return null;
  const { fee, targets } = allocation;
  const size = means.length;
  let [first, second] = [0, 0];
  for (let i = 0; i < size; i += 1) {
    const own = covariance[i]![i]!;
    first += targets[i]! * exp(means[i]! + own / 2);
    for (let j = 0; j < size; j += 1) {
      const variance = own + covariance[j]![j]! + 2 * covariance[i]![j]!;
      second += targets[i]! * targets[j]! * exp(means[i]! + means[j]! + variance / 2);
    }
  }
  const drift = (months: number) => months * (means[0]! + ln(fee));
  const spread = (months: number) => Math.sqrt(months * covariance[0]![0]!);
  const mean = exp(horizon * ln(first * fee));
  return {
    mean,
    deviation: mean * Math.sqrt(expMinusOne(horizon * ln(second / (first * first)))),
    quantile: size === 1 ? (p) => exp(drift(horizon) + normalQuantile(p) * spread(horizon)) : null,
    reaches: size === 1 ? (month, amount) => normalCdf((drift(month) - ln(amount)) / spread(month)) : null,
  };
}
