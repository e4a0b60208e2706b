import type { ForecastMethod } from '../method.ts';
import { adjustSeason, chooseSeason, restoreSeason, type Season } from '../seasonal-adjustment.ts';
import { arima, type ArimaForm } from './arima-method.ts';

export type AdjustedArimaForm = ArimaForm & { season: Season };

/**
 * ARIMA without seasonal terms on the seasonally adjusted series. This method is much faster than seasonal ARIMA, and
 * its errors differ from those of seasonal ARIMA.
 */
export const arimaAdjusted: ForecastMethod<AdjustedArimaForm> = {
  key: 'arima_adjusted',
  serves: arima.serves,
  choose: (series) => {
    const season = chooseSeason(series);
    const { values } = adjustSeason(series, season);
    return { ...arima.choose({ values, period: 1 }), season };
  },
  fit: (series, form) => {
    const adjusted = adjustSeason(series, form.season);
    const fit = arima.fit({ values: adjusted.values, period: 1 }, form);
    return { ...fit, forecast: (horizon) => restoreSeason(adjusted, fit.forecast(horizon)) };
  },
};
