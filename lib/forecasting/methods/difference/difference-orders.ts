import { difference, isConstant } from './difference.ts';
import { hasSeasonalRoot } from './ocsb.ts';
import { KPSS_CRITICAL, kpssStatistic } from './kpss.ts';
import { STRENGTH_CRITICAL, seasonalStrength } from './seasonal-strength.ts';

/**
 * Returns the number of ordinary differences, at most two, by the KPSS test at 5 %. A constant series needs no
 * difference.
 */
export function ordinaryDifferences(values: Float64Array): number {
  let rest = values;
  for (let d = 0; d < 2; d++) {
    if (isConstant(rest) || !(kpssStatistic(rest) > KPSS_CRITICAL)) return d;
    rest = difference(rest, 1);
  }
  return 2;
}

/**
 * The method that decides on a seasonal difference: by the strength of seasonality, or by a test for a seasonal unit
 * root.
 */
export type SeasonalTest = 'strength' | 'ocsb';

/** Returns the number of seasonal differences, 0 or 1. */
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
 * Returns the differences of an ARIMA model: first the seasonal difference, then ordinary differences of the result.
 *
 * Source: Hyndman and Khandakar, "Automatic time series forecasting: the forecast package for R", Journal of
 * Statistical Software 27 (2008), section 3.1. By default, the strength of seasonality replaces the seasonal unit root
 * test, because forecasts are then more accurate.
 */
export function differenceOrders(
  values: Float64Array,
  period: number,
  test: SeasonalTest = 'strength',
): { d: number; D: number } {
  const D = seasonalDifferences(values, period, test);
  return { d: ordinaryDifferences(D ? difference(values, period) : values), D };
}
