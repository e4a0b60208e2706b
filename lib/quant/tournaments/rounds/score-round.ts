import { canonicalHash } from '#lib/core/seal.ts';
import { mean } from '#lib/numerics/descriptive.ts';
import { forecastLoss } from '../origin-loss.ts';
import type { RoundForecasts, RoundInput, RoundResult } from './tournament-round.schema.ts';

/** The losses of the entries in a round, over the series whose values are known. */
export type RoundScore = {
  /** `series`: number of forecast series whose values are known. `of`: number of series that were forecast. */
  series: number;
  of: number;
  /** Mean loss over the series by entry; null for an entry without a forecast for one of them. */
  losses: { entry: string; loss: number | null }[];
  /** SHA-256 of the RFC 8785 form of `losses`. */
  sha256: string;
};

/** Values that are known now, by index of the series and by period. */
export type ActualValues = readonly ReadonlyMap<string, number>[];

/**
 * Compares the sealed forecasts of a round with values. A series is included as soon as the value of every scored
 * period is known: all periods of the horizon, or the last.
 */
export function scoreRound(
  { entries, loss, horizons }: Pick<RoundInput, 'entries' | 'loss' | 'horizons'>,
  { series, forecasts }: { series: RoundResult['series']; forecasts: RoundForecasts['forecasts'] },
  actual: ActualValues,
): RoundScore {
  const known = series.flatMap(({ origin, periods, scale }, place) => {
    if (origin === null) return [];
    const values = periods.map((period) => actual[place]?.get(period) ?? Number.NaN);
    const scored = horizons === 'last' ? values.slice(-1) : values;
    return scored.some(Number.isNaN) ? [] : [{ place, actual: values, scale }];
  });
  const losses = entries.map(({ name }) => {
    const own = known.map(({ place, ...values }) => {
      const forecast = forecasts.find((each) => each.series === place && each.entry === name);
      if (!forecast) return null;
      const point = Float64Array.from(forecast.points);
      const standardErrors = forecast.standard_errors && Float64Array.from(forecast.standard_errors);
      const lost = forecastLoss({ point, ...(standardErrors && { standardErrors }) }, values, {
        loss,
        horizons,
      });
      return typeof lost === 'number' ? lost : null;
    });
    const isWhole = own.length > 0 && own.every((each): each is number => each !== null);
    return { entry: name, loss: isWhole ? mean(own) : null };
  });
  const of = series.filter(({ origin }) => origin !== null).length;
  return { series: known.length, of, losses, sha256: canonicalHash(losses) };
}
