import type { OriginData } from './backtest.ts';
import { hasFiniteErrors } from './intervals.ts';
import { countInside, mase, meanAbsoluteError, seasonalNaiveScale, smape } from './error-metrics.ts';
import type { BacktestRow, ForecastResult, MethodForecast } from './forecast-result.schema.ts';
import type { IntervalBounds } from './intervals.ts';
import type { Prepared } from './prepare-series.ts';
import type { Candidate } from './run-pool.ts';

/** The combined forecast at an origin. */
export type CombinedAtOrigin = { point: Float64Array; intervals: readonly IntervalBounds[] };

/**
 * Returns the backtest errors of every method and of the combination by origin, and the coverage of the intervals at
 * the origins.
 */
export function backtestTable(
  { origins, series }: Prepared,
  candidates: readonly Candidate[],
  combined: readonly CombinedAtOrigin[],
): ForecastResult['backtest'] {
  const rowOf = (method: string, points: readonly (Float64Array | null)[]) =>
    backtestRow(method, { origins, points, period: series.period });
  return {
    origins: origins.map(({ observations, horizon }) => ({ observations, horizon })),
    methods: candidates.map(({ entry, atOrigins }) =>
      rowOf(
        entry.key,
        atOrigins.map((each) => each?.point ?? null),
      ),
    ),
    combination: rowOf(
      'combination',
      combined.map(({ point }) => point),
    ),
    coverage: coverageOf(origins, combined),
  };
}

/** Describes each method of the pool with its form, parameters, weight and points, including methods with weight 0. */
export function describeMethods(
  candidates: readonly Candidate[],
  { restore, restoreErrors }: Pick<Prepared, 'restore' | 'restoreErrors'>,
): MethodForecast[] {
  return candidates.map(({ entry, form, fit, forecast, prior, error, weight }) => ({
    method: entry.key,
    role: roleOf({ forecast, prior, weight }),
    form: { ...form },
    parameters: finiteOnly(fit.parameters),
    log_likelihood:
      fit.logLikelihood !== undefined && Number.isFinite(fit.logLikelihood) ? fit.logLikelihood : null,
    prior,
    backtest_error: error,
    weight,
    points: forecast ? restore(forecast.point) : [],
    standard_errors: hasFiniteErrors(forecast) ? restoreErrors(forecast!.standardErrors!) : null,
  }));
}

function roleOf({
  forecast,
  prior,
  weight,
}: Pick<Candidate, 'forecast' | 'prior' | 'weight'>): MethodForecast['role'] {
  if (!forecast) return 'failed';
  if (weight > 0) return 'combined';
  return prior > 0 ? 'dropped' : 'reference';
}

/** Removes non-finite parameters, because JSON has neither NaN nor infinity. */
function finiteOnly(parameters: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(Object.entries(parameters).filter(([, value]) => Number.isFinite(value)));
}

type Tested = { origins: readonly OriginData[]; points: readonly (Float64Array | null)[]; period: number };

function backtestRow(method: string, { origins, points, period }: Tested): BacktestRow {
  const had = origins.flatMap(({ known, actual }, at) => {
    const point = points[at];
    if (!point) return [];
    const scale = seasonalNaiveScale(known.values, period);
    return [
      {
        mae: meanAbsoluteError(actual, point),
        smape: smape(actual, point),
        mase: scale > 0 ? mase(actual, point, scale) : null,
      },
    ];
  });
  return {
    method,
    mae_by_origin: origins.map(({ actual }, at) => {
      const point = points[at];
      return point ? meanAbsoluteError(actual, point) : null;
    }),
    mae: meanOf(had.map(({ mae }) => mae)),
    smape: meanOf(had.map(({ smape }) => smape)),
    mase: meanOf(had.map(({ mase }) => mase)),
  };
}

/** Returns the mean; null if there are no values or if a value is null. */
function meanOf(values: readonly (number | null)[]): number | null {
  let total = 0;
  for (const value of values) {
    if (value === null) return null;
    total += value;
  }
  return values.length > 0 ? total / values.length : null;
}

function coverageOf(
  origins: readonly OriginData[],
  combined: readonly CombinedAtOrigin[],
): ForecastResult['backtest']['coverage'] {
  const levels = combined[0]?.intervals.map(({ level }) => level) ?? [];
  return levels.map((level, at) => {
    let [inside, of] = [0, 0];
    for (const [index, { actual }] of origins.entries()) {
      inside += countInside(actual, combined[index]!.intervals[at]!);
      of += actual.length;
    }
    return { level, inside, of, share: of > 0 ? (100 * inside) / of : null };
  });
}
