import { boxCox, inverseBoxCox } from './box-cox.ts';
import { guerreroLambda } from './guerrero.ts';
import type { Fit, Forecast, ForecastMethod, Series } from './method.ts';
import { adjustSeason, chooseSeason, restoreSeason, type Season } from './seasonal-adjustment.ts';
import { scaleToUnit } from './unit-scale.ts';

/**
 * The form of a method on the adjusted series. `lambda` is the Box-Cox parameter; null if the values are not
 * transformed.
 */
export type AdjustedForm = Readonly<{ name: string; season: Season; lambda: number | null }>;

/**
 * Options of a method on the adjusted series. `observationsMin` is the minimum number of values. A method with
 * `hasBoxCox` supports only positive values.
 */
export type AdjustedOptions = {
  key: string;
  observationsMin: number;
  hasBoxCox?: boolean;
  /** Whether the seasonal indices are shrunk by their errors. Default: true. */
  isShrunk?: boolean;
  /** Fits the values of a series without season. `period` is the season length of the series before adjustment. */
  estimate: (values: Float64Array, period: number) => Fit;
};

/**
 * Returns the method that applies a non-seasonal method to the seasonally adjusted series. The returned method scales
 * the values, removes the season, applies Box-Cox if requested, fits the remaining series, and reverses these steps for
 * the forecast. With Box-Cox, the standard error in the original unit is half the distance between the back-transformed
 * forecast plus and minus one standard error.
 */
export function onAdjusted({
  key,
  observationsMin,
  hasBoxCox = false,
  isShrunk = true,
  estimate,
}: AdjustedOptions): ForecastMethod<AdjustedForm> {
  return {
    key,
    serves: ({ values }) =>
      values.length >= observationsMin && (!hasBoxCox || values.every((value) => value > 0)),
    choose: (series) => {
      const season = chooseSeason({ ...series, values: scaleToUnit(series.values).values });
      return { name: key, season, lambda: hasBoxCox ? chooseLambda(series, season, isShrunk) : null };
    },
    fit: ({ values, period }, { season, lambda }) => {
      const scaled = scaleToUnit(values);
      const adjusted = adjustSeason({ values: scaled.values, period }, season, isShrunk);
      const fit = estimate(lambda === null ? adjusted.values : boxCox(adjusted.values, lambda), period);
      return {
        ...fit,
        forecast: (horizon) => {
          const plain = fit.forecast(horizon);
          const back = lambda === null ? plain : invert(plain, lambda);
          return inUnit(restoreSeason(adjusted, back), scaled.unit);
        },
      };
    },
  };
}

function chooseLambda({ values, period }: Series, season: Season, isShrunk: boolean): number {
  const adjusted = adjustSeason({ values: scaleToUnit(values).values, period }, season, isShrunk);
  return guerreroLambda(adjusted.values, period);
}

function invert({ point, standardErrors }: Forecast, lambda: number): Forecast {
  const inverse = (z: number): number => inverseBoxCox(z, lambda);
  const halfWidth = (error: number, h: number): number =>
    (inverse(point[h]! + error) - inverse(point[h]! - error)) / 2;
  return {
    point: point.map(inverse),
    ...(standardErrors && { standardErrors: standardErrors.map(halfWidth) }),
  };
}

/**
 * Returns a forecast of scaled values in the original unit. Values beyond the range of a double are clipped to that
 * range.
 */
export function inUnit({ point, standardErrors }: Forecast, unit: number): Forecast {
  const times = (value: number): number =>
    Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value * unit));
  return { point: point.map(times), ...(standardErrors && { standardErrors: standardErrors.map(times) }) };
}
