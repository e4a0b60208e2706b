import type { Em } from '#lib/database/base.ts';
import { findMetric } from '#lib/data/metric-values.query.ts';
import { periodName } from '#lib/data/period.ts';
import { presentKnowledge } from '#lib/forecasting/forecast-request.query.ts';
import { metricSource } from '#lib/forecasting/series/metric-name.ts';
import { metricValues } from '#lib/forecasting/series/metric-series.query.ts';
import type { ActualValues } from './score-round.ts';
import type { RoundResult } from './tournament-round.schema.ts';

/** Returns the currently known values of the series of a round, by period. */
export async function observedValues(
  em: Em,
  series: RoundResult['series'],
  now: Date,
): Promise<ActualValues> {
  const ofLedger = series.some(({ metric }) => metricSource(metric).kind === 'ledger');
  const { at, revisions } = await presentKnowledge(em, { now, ofLedger });
  const knowledge = { at: at.toISOString(), revisions };
  const values: ReadonlyMap<string, number>[] = [];
  for (const { metric: name, company_id: company, frequency, origin } of series) {
    const metric = origin === null ? undefined : await findMetric(em, name);
    const answer = metric && (await metricValues(em, { metric, company, frequency, knowledge }));
    if (!answer?.ok) values.push(new Map());
    else
      values.push(
        new Map(
          answer.values.observed.map(({ lastDay, value }) => [periodName({ frequency, lastDay }), value]),
        ),
      );
  }
  return values;
}
