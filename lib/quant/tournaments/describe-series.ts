import { canonicalHash } from '#lib/core/seal.ts';
import type { ScoredOrigin } from './collect-losses.ts';
import type { TournamentResult } from './tournament-result.schema.ts';
import { periodAt, valuesOf, type TournamentData } from './tournament-series.ts';

/** Returns the facts of the series, with their origins and the hash of their values. */
export function describeSeries(
  data: TournamentData,
  origins: readonly ScoredOrigin[],
): TournamentResult['series'] {
  const found = new Map<number, { count: number; first: string; last: string }>();
  for (const { series, period } of origins) {
    const own = found.get(series);
    found.set(series, { count: (own?.count ?? 0) + 1, first: own?.first ?? period, last: period });
  }
  return data.series.map((facts, at) => {
    const { metric, company, unit, currency, count, reason } = facts;
    const frequency = data.rows ? null : facts.frequency;
    const isRead = count > 0;
    const own = found.get(at);
    return {
      metric,
      company_id: company,
      frequency: isRead ? frequency : null,
      unit,
      currency,
      periods: count,
      origins: own?.count ?? 0,
      first_origin: own?.first ?? null,
      last_origin: own?.last ?? null,
      left_out: reason ?? (own ? null : 'no_origin'),
      observations_sha256: isRead
        ? canonicalHash({
            frequency,
            first_period: periodAt(data, facts, 0).period,
            values: Array.from(valuesOf(data, facts), (value) => (Number.isNaN(value) ? null : value)),
          })
        : null,
    };
  });
}
