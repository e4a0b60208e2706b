import { quantileSorted } from '#lib/numerics/quantile.ts';
import { esRockafellarUryasev, tailWeights } from '#lib/numerics/risk/es-rockafellar-uryasev.ts';
import { quantileInterval } from '#lib/numerics/scenario/quantile-interval.ts';
import { chunkedSum, QUANTILES } from '#lib/numerics/scenario/sample-statistics.ts';
import { sortDoubles } from '#lib/numerics/sort-doubles.ts';
import { minorOf } from './round-to-total.ts';

/**
 * Returns statistics of simulated profits in minor units; an amount that a JSON integer cannot hold is null.
 *
 * `profits`: n amounts, which can be fractions of a minor unit. Value at risk is minus the order statistic
 * that minimises the programme of Rockafellar and Uryasev, and the expected shortfall is the minimum of this
 * programme. Quantiles are of type 7. For each quantile, the result has two order statistics between which
 * the quantile of the distribution lies with 95 % confidence.
 */
export function profitStatistics(profits: Float64Array, levels: readonly number[]) {
  const n = profits.length;
  const sorted = sortDoubles(profits);
  const { mean, deviation } = meanAndDeviation(profits);
  return {
    mean_minor: minorOf(mean),
    mean_error_minor: minorOf(deviation / Math.sqrt(n)),
    standard_deviation_minor: minorOf(deviation),
    minimum_minor: minorOf(sorted[0]!),
    maximum_minor: minorOf(sorted[n - 1]!),
    quantiles: QUANTILES.map((p) => ({
      p,
      value_minor: minorOf(quantileSorted(sorted, p)),
      interval_minor: quantileInterval(sorted, p).map(minorOf) as [number | null, number | null],
    })),
    risk: levels.map((level) => ({
      level,
      value_at_risk_minor: minorOf(-sorted[tailWeights(n, level).whole]!),
      expected_shortfall_minor: minorOf(esRockafellarUryasev(sorted, level)),
    })),
  };
}

/** Returns the mean and the population standard deviation, summed over chunks in order. */
export function meanAndDeviation(values: Float64Array): { mean: number; deviation: number } {
  const n = values.length;
  const mean = chunkedSum(values, (value) => value) / n;
  const variance = chunkedSum(values, (value) => (value - mean) * (value - mean)) / n;
  return { mean, deviation: Math.sqrt(variance) };
}
