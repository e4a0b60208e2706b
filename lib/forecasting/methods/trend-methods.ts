import { onAdjusted } from './adjusted-method.ts';
import { estimateEts } from './ets/estimate-ets.ts';
import type { EtsTrend } from './ets/ets-form.ts';
import { parametersOf } from './ets/ets-method.ts';
import { forecastEts } from './ets/forecast-ets.ts';
import type { Fit } from './method.ts';

/** Simple exponential smoothing of the seasonally adjusted series. */
export const ses = onAdjusted({ key: 'ses', observationsMin: 1, estimate: (values) => smooth(values, 'N') });

/** Holt's linear trend on the seasonally adjusted series. */
export const holt = onAdjusted({
  key: 'holt',
  observationsMin: 2,
  estimate: (values) => smooth(values, 'A'),
});

/** Holt's damped trend on the seasonally adjusted series. */
export const dampedHolt = onAdjusted({
  key: 'damped_holt',
  observationsMin: 2,
  estimate: (values) => smooth(values, 'Ad'),
});

/** Holt's damped trend on the Box-Cox transform of the seasonally adjusted series. */
export const dampedHoltBoxCox = onAdjusted({
  key: 'damped_holt_box_cox',
  observationsMin: 2,
  hasBoxCox: true,
  estimate: (values) => smooth(values, 'Ad'),
});

/**
 * Fits smoothing with additive errors by least squares, which is maximum likelihood. Fewer than four values get no
 * trend.
 * Source: Holt (1957), reprinted in International Journal of Forecasting 20 (2004) 5-10; Gardner and McKenzie,
 * Management Science 31 (1985) 1237-1246.
 */
function smooth(values: Float64Array, trend: EtsTrend): Fit {
  const form = { name: 'ets', error: 'A', trend: values.length < 4 ? 'N' : trend, season: 'N' } as const;
  const estimate = estimateEts(values, 1, form);
  return {
    parameters: parametersOf(estimate, 1),
    logLikelihood: -0.5 * estimate.objective,
    forecast: (horizon) => forecastEts(estimate, horizon),
  };
}
