import { mstl } from '#lib/numerics/stl/mstl.ts';

/**
 * Returns the seasonal share of the detrended variation, 0 to 1: `1 - var(remainder) / var(seasonal + remainder)`.
 *
 * Series of two periods or less, and series without detrended variation, give 0.
 * Source: Wang, Smith and Hyndman, "Characteristic-based clustering for time series data", Data Mining and Knowledge
 * Discovery 13 (2006), section 3; components by STL.
 */
export function seasonalStrength(values: Float64Array, period: number): number {
  const { seasonals, remainder } = mstl(values, [period]);
  const seasonal = seasonals[0];
  if (!seasonal) return 0;
  const detrended = remainder.map((value, t) => value + seasonal[t]!);
  const total = variance(detrended);
  return total > 0 ? Math.min(1, Math.max(0, 1 - variance(remainder) / total)) : 0;
}

/**
 * The strength of seasonality above which one seasonal difference is taken. This value gives the best forecasts of the
 * M3 series (Hyndman, `nsdiffs` of R's forecast).
 */
export const STRENGTH_CRITICAL = 0.64;

function variance(values: Float64Array): number {
  let mean = 0;
  for (const value of values) mean += value;
  mean /= values.length;
  let sum = 0;
  for (const value of values) sum += (value - mean) * (value - mean);
  return sum / (values.length - 1);
}
