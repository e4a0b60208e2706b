import { inUnit, onAdjusted } from './adjusted-method.ts';
import type { Fit, ForecastMethod } from './method.ts';
import { randomWalk, seasonalRandomWalk } from './random-walk.ts';
import { scaleToUnit } from './unit-scale.ts';

/** Forecasts the last value for every future period. */
export const naive: ForecastMethod = {
  key: 'naive',
  serves: ({ values }) => values.length >= 1,
  choose: () => ({ name: 'naive' }),
  fit: ({ values }) => inScale(values, (scaled) => randomWalk(scaled, false)),
};

/**
 * Forecasts the value of the same position in the last season. Forecasts the last value if less than a season is known.
 */
export const seasonalNaive: ForecastMethod = {
  key: 'seasonal_naive',
  serves: ({ values, period }) => values.length >= period,
  choose: () => ({ name: 'seasonal_naive' }),
  fit: ({ values, period }) =>
    inScale(values, (scaled) =>
      scaled.length < period ? randomWalk(scaled, false) : seasonalRandomWalk(scaled, period),
    ),
};

/** Forecasts the last value of the seasonally adjusted series. Accuracy measures use this method as their benchmark. */
export const naive2 = onAdjusted({
  key: 'naive2',
  observationsMin: 1,
  isShrunk: false,
  estimate: (values) => randomWalk(values, false),
});

/** Forecasts the last value of the seasonally adjusted series, plus its mean change per period. */
export const drift = onAdjusted({
  key: 'drift',
  observationsMin: 2,
  estimate: (values) => randomWalk(values, true),
});

function inScale(values: Float64Array, estimate: (scaled: Float64Array) => Fit): Fit {
  const scaled = scaleToUnit(values);
  const fit = estimate(scaled.values);
  return { ...fit, forecast: (horizon) => inUnit(fit.forecast(horizon), scaled.unit) };
}
