import { checkRequest } from './check-request.ts';
import { FORECAST_MODEL } from './forecast-models.ts';
import type { ForecastOptions, ForecastRefusal, ObservedSeries } from './forecast-series.types.ts';
import { COMBINATION } from './method-catalogue.ts';
import { methodPoolOf, methodsToRun } from './method-pool.ts';
import { prepareSeries, type Prepared } from './prepare-series.ts';
import { priorsOf } from './priors.ts';
import { runPool, type Candidate } from './run-pool.ts';

/** The methods on a prepared series, each with its weight in the forecast. */
export type WeighedMethods = {
  prepared: Prepared;
  candidates: readonly Candidate[];
  /** The weights of the combination, even if a single method is requested. */
  weights: readonly number[];
};

/**
 * Prepares a series, fits and backtests the methods, and weights them. A single requested method has the weight 1.
 * A series that cannot be forecast is refused with a code.
 */
export function weighMethods(
  series: ObservedSeries,
  options: ForecastOptions,
): ({ ok: true } & WeighedMethods) | { ok: false; refusal: ForecastRefusal } {
  const { method = COMBINATION, model = FORECAST_MODEL } = options;
  if (method !== COMBINATION && !methodPoolOf(model).some(({ key }) => key === method)) {
    return { ok: false, refusal: { code: 'unknown_method', method } };
  }
  const checked = checkRequest(series, options);
  if (!checked.ok) return checked;
  const prepared = prepareSeries(series, checked.observed, options);
  const priors = priorsOf(series.frequency, prepared.series, model);
  const candidates = runPool({
    pool: methodsToRun(model, { priors, method }),
    series: prepared.series,
    horizon: options.horizon,
    origins: prepared.origins,
    priors,
  });
  const weights = candidates.map(({ weight }) => weight);
  if (method === COMBINATION) return { ok: true, prepared, candidates, weights };
  const chosen = candidates.find(({ entry }) => entry.key === method);
  if (!chosen?.forecast) return { ok: false, refusal: { code: 'method_not_applicable', method } };
  const alone = candidates.map((each) => ({ ...each, weight: each === chosen ? 1 : 0 }));
  return { ok: true, prepared, candidates: alone, weights };
}
