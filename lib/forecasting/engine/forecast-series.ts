import type { Forecast } from '#lib/forecasting/methods/method.ts';
import { checkRequest } from './check-request.ts';
import { combinePoints } from './combine.ts';
import { FORECAST_MODEL, type ForecastResult } from './forecast-result.schema.ts';
import type { ForecastOptions, ObservedSeries } from './forecast-series.types.ts';
import type { ForecastOutcome } from './forecast-result.schema.ts';
import { combinedIntervals, hasFiniteErrors, intervalSources, type IntervalBounds } from './intervals.ts';
import { learnedOf } from './learned-constants.ts';
import { DEFAULT_LEVELS } from './limits.ts';
import { COMBINATION } from './method-catalogue.ts';
import { methodPool } from './method-pool.ts';
import { priorsOf } from './priors.ts';
import { prepareSeries, type Prepared } from './prepare-series.ts';
import { backtestTable, describeMethods } from './result-tables.ts';
import { runPool, type Candidate } from './run-pool.ts';

/**
 * Forecasts a series with intervals, by combining methods weighted by their performance at rolling origins of the same
 * series. Pure and deterministic to the bit. The result is plain JSON.
 *
 * A series that cannot be forecast is refused with a code. Constant, tiny, all-zero and negative series are forecast.
 */
export function forecastSeries(series: ObservedSeries, options: ForecastOptions): ForecastOutcome {
  const { method = COMBINATION } = options;
  if (method !== COMBINATION && !methodPool.some(({ key }) => key === method)) {
    return { ok: false, refusal: { code: 'unknown_method', method } };
  }
  const checked = checkRequest(series, options);
  if (!checked.ok) return checked;
  const prepared = prepareSeries(series, checked.observed, options);
  const candidates = runPool({
    series: prepared.series,
    horizon: options.horizon,
    origins: prepared.origins,
    priors: priorsOf(series.frequency, prepared.series),
  });
  if (method === COMBINATION)
    return { ok: true, result: resultOf(prepared, candidates, { series, options }) };
  const chosen = candidates.find(({ entry }) => entry.key === method);
  if (!chosen?.forecast) return { ok: false, refusal: { code: 'method_not_applicable', method } };
  const alone = candidates.map((each) => ({ ...each, weight: each === chosen ? 1 : 0 }));
  return { ok: true, result: resultOf(prepared, alone, { series, options }) };
}

type SeriesForecastRequest = { series: ObservedSeries; options: ForecastOptions };

function resultOf(
  prepared: Prepared,
  candidates: readonly Candidate[],
  { series, options }: SeriesForecastRequest,
): ForecastResult {
  const { horizon, method = COMBINATION, nonNegative = false } = options;
  const levels = [...new Set(options.levels ?? DEFAULT_LEVELS)].sort((a, b) => a - b);
  const factors = learnedOf(series.frequency).factors;
  const sources = intervalSources(candidates.filter(({ forecast }) => hasFiniteErrors(forecast)));
  const intervalsOf = (center: Float64Array, forecasts: readonly (Forecast | null)[]): IntervalBounds[] => {
    const errors = forecasts.flatMap((each) => (hasFiniteErrors(each) ? [each!.standardErrors!] : []));
    return combinedIntervals(center, errors, { levels, factors, nonNegative });
  };
  const clipped = (point: Float64Array) => (nonNegative ? point.map((value) => Math.max(0, value)) : point);

  const combined = combinePoints(candidates, horizon);
  const intervals = intervalsOf(
    combined,
    sources.map(({ forecast }) => forecast),
  );
  const atOrigins = prepared.origins.map((origin, at) => {
    const shares = candidates.map(({ weight, atOrigins }) => ({ weight, forecast: atOrigins[at]! }));
    const center = combinePoints(shares, origin.horizon);
    return {
      point: clipped(center),
      intervals: intervalsOf(
        center,
        sources.map((source) => source.atOrigins[at]!),
      ),
    };
  });
  const restored = prepared.restore;
  const points = restored(clipped(combined));
  return {
    model: FORECAST_MODEL,
    method,
    frequency: series.frequency,
    period: prepared.series.period,
    observations: prepared.series.values.length,
    horizon,
    points,
    intervals: intervals.map(({ level, lower, upper }) => ({
      level,
      lower: restored(lower),
      upper: restored(upper),
    })),
    interval_basis: {
      methods: sources.map(({ entry }) => entry.key),
      factors: intervals.map(({ level, factor }) => ({ level, factor })),
    },
    backtest: backtestTable(prepared, candidates, atOrigins),
    methods: describeMethods(candidates, restored),
    treatments: [...prepared.treatments, ...clippedTreatment(combined, nonNegative)],
  };
}

function clippedTreatment(points: Float64Array, nonNegative: boolean): ForecastResult['treatments'] {
  const negative = nonNegative ? points.filter((value) => value < 0).length : 0;
  return negative > 0 ? [{ kind: 'clipped', points: negative }] : [];
}
