import { inUnit } from '../adjusted-method.ts';
import { ln } from '#lib/numerics/natural-log.ts';
import type { Fit, ForecastMethod, Series } from '../method.ts';
import { scaleToUnit } from '../unit-scale.ts';
import { chooseEts } from './choose-ets.ts';
import { estimateEts, type EtsEstimate } from './estimate-ets.ts';
import { reduceForm, type EtsForm } from './ets-form.ts';
import { forecastEts } from './forecast-ets.ts';

/** Exponential smoothing. AICc chooses among all admissible forms. */
export const ets: ForecastMethod<EtsForm> = {
  key: 'ets',
  serves: ({ values }) => values.length >= 1,
  choose: (series) => chooseEts({ ...series, values: scaleToUnit(series.values).values }),
  fit: fitEts,
};

/** Fits a form. If the series no longer supports it, fits the reduced form (`reduceForm`). */
export function fitEts({ values, period }: Series, form: EtsForm): Fit {
  const scaled = scaleToUnit(values);
  const reduced = reduceForm(form, { values: scaled.values, period });
  const estimate = estimateFinite(scaled.values, period, reduced);
  return {
    parameters: parametersOf(estimate, scaled.unit),
    logLikelihood:
      -0.5 * estimate.objective - (estimate.form.error === 'A' ? values.length * ln(scaled.unit) : 0),
    forecast: (horizon) => inUnit(forecastEts(estimate, horizon), scaled.unit),
  };
}

/**
 * Estimates a form. If its multiplicative parts give no positive forecasts from any start, estimates additive parts
 * instead.
 */
function estimateFinite(values: Float64Array, period: number, form: EtsForm): EtsEstimate {
  const estimate = estimateEts(values, period, form);
  if (estimate.objective < Infinity) return estimate;
  return estimateEts(values, period, { ...form, error: 'A', season: form.season === 'N' ? 'N' : 'A' });
}

export function parametersOf({ form, run }: EtsEstimate, unit: number): Record<string, number> {
  return {
    alpha: run.alpha,
    ...(form.trend !== 'N' && { beta: run.beta }),
    ...(form.season !== 'N' && { gamma: run.gamma }),
    ...(form.trend === 'Ad' && { phi: run.phi }),
    level: run.level * unit,
    ...(form.trend !== 'N' && { slope: run.slope * unit }),
  };
}
