import {
  observationsOf,
  productsWith,
  scaleOf,
  tailMean,
  tailOf,
  type ReturnTable,
  type RiskMeasure,
} from './risk-measure.ts';

/**
 * Returns the conditional drawdown at risk as a function of weights: the mean of the largest share 1 - level
 * of the drawdowns. Each observation has one drawdown: the distance of the cumulative sum of returns from its
 * highest value so far, with 0 at the start. Returns are not compounded, so the risk is convex in the
 * weights.
 *
 * Errors: as `conditionalValueAtRisk`.
 * Source: Chekhlov, Uryasev and Zabarankin, "Drawdown Measure in Portfolio Optimization" (International
 * Journal of Theoretical and Applied Finance 8, 2005), section 3.
 *
 * Example: returns 0.1, -0.2, 0.3 of one asset at the level 0.5 give (0.2 + 0.5 * 0) / 1.5.
 */
export function conditionalDrawdown(table: ReturnTable, level: number): RiskMeasure {
  const { assets, returns } = table;
  const count = observationsOf(table);
  const tail = tailOf(level, count);
  const paths = new Float64Array(returns.length);
  for (let at = 0; at < returns.length; at += 1)
    paths[at] = returns[at]! + (at < assets ? 0 : paths[at - assets]!);
  const sums = new Float64Array(count);
  const drawdowns = new Float64Array(count);
  /**
   * Index of the observation with the highest cumulative sum so far, for each observation; -1 for the start.
   */
  const peaks = new Int32Array(count);
  return {
    assets,
    scale: scaleOf(paths, assets),
    floor: () => 0,
    at(weights) {
      productsWith(paths, weights, sums);
      let [peak, peakAt] = [0, -1];
      for (let t = 0; t < count; t += 1) {
        if (sums[t]! > peak) [peak, peakAt] = [sums[t]!, t];
        peaks[t] = peakAt;
        drawdowns[t] = peak - sums[t]!;
      }
      const { mean, shares } = tailMean(drawdowns, tail);
      const slope = new Float64Array(assets);
      for (let t = 0; t < count; t += 1) {
        const share = shares[t]!;
        if (share === 0 || peaks[t] === t) continue;
        const [top, here] = [peaks[t]! * assets, t * assets];
        for (let i = 0; i < assets; i += 1)
          slope[i]! += share * ((top < 0 ? 0 : paths[top + i]!) - paths[here + i]!);
      }
      return { value: mean, slope };
    },
  };
}
