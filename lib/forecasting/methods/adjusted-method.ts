import { boxCox, inverseBoxCox } from './box-cox.ts';
import { guerreroLambda } from './guerrero.ts';
import type { Fit, Forecast, ForecastMethod, Series } from './method.ts';
import { adjustSeason, chooseSeason, restoreSeason, type Season } from './seasonal-adjustment.ts';
import { scaleToUnit } from './unit-scale.ts';

/** `lambda` is the Box-Cox parameter; null where the values are taken as they are. */
export type AdjustedForm = Readonly<{ name: string; season: Season; lambda: number | null }>;

/** What such a method is: `atLeast` values are needed; `hasBoxCox` methods serve positive values alone. */
export type AdjustedOptions = {
  key: string;
  observationsMin: number;
  hasBoxCox?: boolean;
  /** Whether the indices of the season are shrunk by their errors; true by default. */
  isShrunk?: boolean;
  /** Fits the values of a series without season. */
  estimate: (values: Float64Array) => Fit;
};

/**
 * A method without seasons of its own, put on the seasonally adjusted series: the values are brought to a unit near
 * them, the season is taken out, Box-Cox applied where the method has it, the rest is fitted, and the forecast goes the
 * same way back. Standard errors pass Box-Cox as half the distance between the images of one error up and one down.
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
      const fit = estimate(lambda === null ? adjusted.values : boxCox(adjusted.values, lambda));
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

/** A forecast of scaled values in the unit of the values; what would leave the range of a double stays at its end. */
export function inUnit({ point, standardErrors }: Forecast, unit: number): Forecast {
  const times = (value: number): number =>
    Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value * unit));
  return { point: point.map(times), ...(standardErrors && { standardErrors: standardErrors.map(times) }) };
}
