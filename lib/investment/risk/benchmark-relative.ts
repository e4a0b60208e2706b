import { beta } from '#lib/numerics/risk/beta.ts';
import { captureRatio } from '#lib/numerics/risk/capture-ratio.ts';
import {
  activePremium,
  informationRatio,
  informationRatioGeometric,
} from '#lib/numerics/risk/information-ratio.ts';
import { trackingError } from '#lib/numerics/risk/tracking-error.ts';

/**
 * Returns the statistics of a portfolio relative to a benchmark over the same n periods. The tracking error, the
 * information ratios and the active premium are annual.
 */
export function benchmarkRelative(returns: Float64Array, benchmark: Float64Array, periodsPerYear: number) {
  return {
    beta: beta(returns, benchmark),
    tracking_error: trackingError(returns, benchmark, periodsPerYear),
    information_ratio: informationRatio(returns, benchmark, periodsPerYear),
    information_ratio_geometric: informationRatioGeometric(returns, benchmark, periodsPerYear),
    active_premium: activePremium(returns, benchmark, periodsPerYear),
    up_capture: captureRatio(returns, benchmark, { side: 'up', periodsPerYear }),
    down_capture: captureRatio(returns, benchmark, { side: 'down', periodsPerYear }),
  };
}
