import type { Form, ForecastMethod, Series } from '../method.ts';
import { mstl } from '#lib/numerics/stl/mstl.ts';

/**
 * The form of the method. `inner` is the name of the inner method's form. `periods` are the removed periods, separated
 * by commas.
 */
export type MstlForm = Form & { inner: string; periods: string };

/**
 * For each shorter season, the longer season that is also removed: the week in addition to the day for hourly values,
 * and the year in addition to the week for daily values.
 */
const LONGER: Readonly<Record<number, readonly number[]>> = { 24: [168], 48: [336], 7: [365] };

/**
 * Applies any method to a series without its STL seasons. The last cycles of the seasons are repeated ahead.
 *
 * Supports series of more than two seasons. If a season does not fit twice into the values known at an origin of a
 * backtest, the season is not removed, and the inner method models it.
 * Source: Bandara, Hyndman and Bergmeir (2022); seasonal components ahead as in Hyndman and Athanasopoulos,
 * "Forecasting: Principles and Practice", 3rd edition, 13.1.
 */
export function onMstl<F extends Form>(key: string, inner: ForecastMethod<F>): ForecastMethod<F & MstlForm> {
  return {
    key,
    serves: (series) => series.period > 1 && series.values.length > 2 * series.period && inner.serves(series),
    choose: (series) => {
      const parts = mstl(series.values, periodsOf(series.period));
      const form = inner.choose(without(series.values, parts.seasonals));
      const periods = parts.periods.join(',');
      return { ...form, name: `STL[${periods}] ${form.name}`, inner: form.name, periods };
    },
    fit: ({ values }, form) => {
      const parts = mstl(values, form.periods.split(',').map(Number));
      const fit = inner.fit(without(values, parts.seasonals), { ...form, name: form.inner });
      return {
        parameters: fit.parameters,
        forecast: (horizon) => {
          const { point, ...rest } = fit.forecast(horizon);
          const ahead = point.map((value, h) =>
            parts.seasonals.reduce(
              (sum, seasonal, i) => sum + lastCycle(seasonal, parts.periods[i]!, h),
              value,
            ),
          );
          return { ...rest, point: ahead };
        },
      };
    },
  };
}

function periodsOf(period: number): number[] {
  return [period, ...(LONGER[period] ?? [])];
}

function without(values: Float64Array, seasonals: readonly Float64Array[]): Series {
  return {
    values: values.map((value, t) => seasonals.reduce((rest, seasonal) => rest - seasonal[t]!, value)),
    period: 1,
  };
}

function lastCycle(seasonal: Float64Array, period: number, h: number): number {
  return seasonal[seasonal.length - period + (h % period)]!;
}
