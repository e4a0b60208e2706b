import {
  floorOf,
  observationsOf,
  productsWith,
  scaleOf,
  tailMean,
  tailOf,
  type ReturnTable,
  type RiskMeasure,
} from './risk-measure.ts';

/**
 * Returns the conditional value at risk as a function of weights, in the unit of the returns: the mean loss in the
 * worst share 1 - level of the observations. If this share is not a whole number of observations, one observation is
 * counted in part.
 *
 * Errors: `RangeError` without observations, on returns that are not finite, and on a level outside 0..1.
 * Source: Rockafellar and Uryasev, "Optimization of Conditional Value-at-Risk" (Journal of Risk 2, 2000),
 * equation 17.
 *
 * Example: losses 1, 2, 3, 4 at the level 0.5 give 3.5.
 */
export function conditionalValueAtRisk(table: ReturnTable, level: number): RiskMeasure {
  const { assets, returns } = table;
  const count = observationsOf(table);
  const tail = tailOf(level, count);
  const losses = new Float64Array(count);
  return {
    assets,
    scale: scaleOf(returns, assets),
    floor: (lower, upper) => floorOf(returns, lower, upper),
    at(weights) {
      productsWith(returns, weights, losses);
      for (let t = 0; t < count; t += 1) losses[t] = -losses[t]!;
      const { mean, shares } = tailMean(losses, tail);
      const slope = new Float64Array(assets);
      for (let t = 0; t < count; t += 1) {
        const share = shares[t]!;
        if (share === 0) continue;
        for (let i = 0; i < assets; i += 1) slope[i]! -= share * returns[t * assets + i]!;
      }
      return { value: mean, slope };
    },
  };
}
