import { observationsOf, productsWith, scaleOf, type ReturnTable, type RiskMeasure } from './risk-measure.ts';

/**
 * Returns the mean absolute deviation as a function of weights, in the unit of the returns: the mean distance
 * of the portfolio return from its mean.
 *
 * Errors: `RangeError` without observations and on returns that are not finite.
 * Source: Konno and Yamazaki, "Mean-Absolute Deviation Portfolio Optimization Model and Its Applications to
 * Tokyo Stock Market" (Management Science 37, 1991), equation 8.
 *
 * Example: the returns 0.01 and 0.03 of one asset have the mean absolute deviation 0.01.
 */
export function meanAbsoluteDeviation(table: ReturnTable): RiskMeasure {
  const { assets, returns } = table;
  const count = observationsOf(table);
  const means = new Float64Array(assets);
  for (let at = 0; at < returns.length; at += 1) means[at % assets]! += returns[at]!;
  const centred = returns.map((each, at) => each - means[at % assets]! / count);
  const deviations = new Float64Array(count);
  return {
    assets,
    scale: scaleOf(centred, assets),
    floor: () => 0,
    at(weights) {
      productsWith(centred, weights, deviations);
      const slope = new Float64Array(assets);
      let total = 0;
      for (let t = 0; t < count; t += 1) {
        const deviation = deviations[t]!;
        total += Math.abs(deviation);
        const sign = deviation < 0 ? -1 : 1;
        for (let i = 0; i < assets; i += 1) slope[i]! += sign * centred[t * assets + i]!;
      }
      return { value: total / count, slope: slope.map((each) => each / count) };
    },
  };
}
