import { beta } from '#lib/numerics/risk/beta.ts';
import { captureRatio } from '#lib/numerics/risk/capture-ratio.ts';
import {
  activePremium,
  informationRatio,
  informationRatioGeometric,
} from '#lib/numerics/risk/information-ratio.ts';
import { trackingError } from '#lib/numerics/risk/tracking-error.ts';

/** Returns the figures of a portfolio against a benchmark over the same n periods; fractions, annual where it says so. */
export function benchmarkRelative(
  returns: Float64Array,
  { symbol, returns: benchmark }: { symbol: string; returns: Float64Array },
  periodsPerYear: number,
) {
  return {
    symbol,
    beta: beta(returns, benchmark),
    tracking_error: trackingError(returns, benchmark, periodsPerYear),
    information_ratio: informationRatio(returns, benchmark, periodsPerYear),
    information_ratio_geometric: informationRatioGeometric(returns, benchmark, periodsPerYear),
    active_premium: activePremium(returns, benchmark, periodsPerYear),
    up_capture: captureRatio(returns, benchmark, { side: 'up', periodsPerYear }),
    down_capture: captureRatio(returns, benchmark, { side: 'down', periodsPerYear }),
  };
}
