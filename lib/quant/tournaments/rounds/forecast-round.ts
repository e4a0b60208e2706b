import { canonicalHash } from '#lib/core/seal.ts';
import { seasonalNaiveScale } from '#lib/forecasting/engine/error-metrics.ts';
import type { Forecast } from '#lib/forecasting/methods/method.ts';
import { needsSpread } from '../origin-loss.ts';
import { forecasterOf } from '../score-origins.ts';
import { knownAt } from '../series-origins.ts';
import type { ResolvedEntry } from '../tournament-input.schema.ts';
import { periodAt, valuesOf, type SeriesFacts, type TournamentData } from '../tournament-series.ts';
import type { RoundForecasts, RoundInput, RoundResult } from './tournament-round.schema.ts';

type Reason = RoundResult['failures'][number]['reason'];

/**
 * Forecasts the periods after the last known value of each series by every entry. Refuses a round in which no series
 * can be forecast.
 */
export function forecastRound(input: RoundInput, data: TournamentData) {
  const series: RoundResult['series'] = [];
  const failures: RoundResult['failures'] = [];
  const forecasts: RoundForecasts['forecasts'] = [];
  for (const [place, facts] of data.series.entries()) {
    const { metric, company: company_id, frequency, count } = facts;
    const known = facts.reason === null ? knownAt(data, facts, { ...input, at: count }) : null;
    const about = { metric, company_id, frequency };
    if (!known) {
      series.push({ ...about, origin: null, periods: [], scale: 0, left_out: facts.reason ?? 'no_origin' });
      continue;
    }
    const origin = periodAt(data, facts, count - 1).period;
    const scale = seasonalNaiveScale(known.values, known.period);
    series.push({
      ...about,
      origin,
      periods: laterPeriods(data, facts, input.horizon),
      scale,
      left_out: null,
    });
    for (const entry of input.entries) {
      const forecaster = forecasterOf(entry, { frequency, horizon: input.horizon }, data);
      forecaster.choose(known);
      const forecast = forecaster.forecast(known);
      const reason = failureOf(forecast, entry, input);
      if (reason) failures.push({ entry: entry.name, metric, origin, reason });
      else forecasts.push({ series: place, entry: entry.name, ...numbersOf(forecast!) });
    }
  }
  if (series.every(({ origin }) => origin === null)) return refused;
  const attached: RoundForecasts = { forecasts };
  return {
    ok: true as const,
    output: {
      input_data: { series_sha256: canonicalHash(data.series.map((facts) => hashOf(data, facts))) },
      result: { series, forecasts_sha256: canonicalHash(attached), failures },
    },
    attachments: { forecasts: attached },
  };
}

const refused = {
  ok: false as const,
  refusal: {
    code: 'origins_insufficient' as const,
    detail: 'No series of the round can be forecast.',
    members: { observed: 0, needed: 1 },
  },
};

function failureOf(forecast: Forecast | null, { kind }: ResolvedEntry, { loss }: RoundInput): Reason | null {
  if (!forecast) return 'not_applicable';
  const isFinite = [...forecast.point].every(Number.isFinite);
  if (!isFinite) return kind === 'predictions' ? 'no_prediction' : 'not_finite';
  const errors = forecast.standardErrors;
  if (needsSpread(loss) && !errors) return 'no_spread';
  return errors && !errors.every(Number.isFinite) ? 'not_finite' : null;
}

function numbersOf({ point, standardErrors }: Forecast) {
  return { points: [...point], standard_errors: standardErrors ? [...standardErrors] : null };
}

function laterPeriods(data: TournamentData, facts: SeriesFacts, horizon: number): string[] {
  return Array.from({ length: horizon }, (_, step) => periodAt(data, facts, facts.count + step).period);
}

function hashOf(data: TournamentData, facts: SeriesFacts) {
  if (facts.count === 0) return null;
  const values = Array.from(valuesOf(data, facts), (value) => (Number.isNaN(value) ? null : value));
  return canonicalHash({ frequency: facts.frequency, first_period: periodAt(data, facts, 0).period, values });
}
