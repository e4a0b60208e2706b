import { difference, isConstant } from './difference.ts';
import { hasSeasonalRoot } from './ocsb.ts';
import { KPSS_CRITICAL, kpssStatistic } from './kpss.ts';
import { STRENGTH_CRITICAL, seasonalStrength } from './seasonal-strength.ts';

/** How many ordinary differences, at most two, the KPSS test at 5 % asks for. A constant series needs none. */
export function ordinaryDifferences(values: Float64Array): number {
  let rest = values;
  for (let d = 0; d < 2; d++) {
    if (isConstant(rest) || !(kpssStatistic(rest) > KPSS_CRITICAL)) return d;
    rest = difference(rest, 1);
  }
  return 2;
}

/** How a seasonal difference is decided: by the strength of seasonality, or by a test of a seasonal unit root. */
export type SeasonalTest = 'strength' | 'ocsb';

/** Whether a seasonal difference is needed, 0 or 1. */
export function seasonalDifferences(
  values: Float64Array,
  period: number,
  test: SeasonalTest = 'strength',
): number {
  if (period < 2 || values.length <= 2 * period || isConstant(values)) return 0;
  if (test === 'ocsb') return hasSeasonalRoot(values, period) ? 1 : 0;
  return seasonalStrength(values, period) > STRENGTH_CRITICAL ? 1 : 0;
}

/**
 * The differences of an ARIMA model: the seasonal one first, then ordinary ones on what it leaves.
 *
 * Source: Hyndman and Khandakar, "Automatic time series forecasting: the forecast package for R", Journal of
 * Statistical Software 27 (2008), section 3.1, by default with the strength of seasonality in the place of a seasonal unit root:
 * it forecasts better.
 */
export function differenceOrders(
  values: Float64Array,
  period: number,
  test: SeasonalTest = 'strength',
): { d: number; D: number } {
  const D = seasonalDifferences(values, period, test);
  return { d: ordinaryDifferences(D ? difference(values, period) : values), D };
}
