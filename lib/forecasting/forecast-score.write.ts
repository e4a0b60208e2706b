import { sql } from 'kysely';
import { addDays } from '#lib/core/date.ts';
import { instantOf, utcDate } from '#lib/core/clock.ts';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { findMetric } from '#lib/data/metric-values.query.ts';
import { periodName, readPeriod } from '#lib/data/period.ts';
import { findRun } from '#lib/pipeline/run.write.ts';
import { presentKnowledge } from './forecast-request.query.ts';
import { ForecastScoreRecord, ForecastWatch } from './forecast-score.entity.ts';
import { scoreForecast, type ScoredForecast } from './forecast-score.ts';
import type { ForecastInput } from './forecasts.schema.ts';
import { metricSource } from './series/metric-name.ts';
import { metricValues } from './series/metric-series.query.ts';

/** Returns the scores of forecasts by uid. Forecasts without a score are left out. */
export async function findScores(em: Em, uids: readonly string[]): Promise<Map<string, ForecastScoreRecord>> {
  const found = await em.find(ForecastScoreRecord, { runUid: { $in: [...uids] } });
  return new Map(found.map((each) => [each.runUid, each]));
}

/**
 * The checks of a forecast for new values end after this number of days, counted from the request or from the last
 * period of the forecast, whichever is later.
 */
const PATIENCE_DAYS = 730;

/** Returns the tenants with forecasts that are due for a check. */
export async function tenantsWithDueForecasts(em: Em, now: Date): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select distinct workspace_uid as workspace, environment from forecast_watch where look_at <= ${now} order by 1, 2
  `.execute(em.getKysely());
  return rows;
}

/** Returns the forecasts that are due for a check in the tenant of `em`, longest waiting first. */
export async function dueForecasts(em: Em, { now, limit }: { now: Date; limit: number }): Promise<string[]> {
  const due = await em.find(
    ForecastWatch,
    { lookAt: { $lte: now } },
    { orderBy: { lookAt: 'asc', runUid: 'asc' }, limit },
  );
  return due.map(({ runUid }) => runUid);
}

/**
 * Compares a forecast with the values known now and stores its accuracy. Sets the time of the next check: the day after
 * the first period of the forecast, and then every day until all periods have a value or `PATIENCE_DAYS` have passed.
 * After the last check, corrections of values do not change the accuracy. Returns whether a new accuracy was stored.
 */
export async function scoreWatchedForecast(em: Em, uid: string, now: Date): Promise<boolean> {
  const watch = await em.findOne(ForecastWatch, { runUid: uid });
  const found = await findRun(em, uid, ['history']);
  if (!watch || !found?.result) return false;
  const forecast = { ...found.result.members, ...found.result.attachments } as unknown as ScoredForecast;
  const today = utcDate(now);
  const [first, last] = [forecast.result.periods[0]!, forecast.result.periods.at(-1)!].map(lastDayOf) as [
    string,
    string,
  ];
  if (first >= today) {
    watch.lookAt = startOf(addDays(first, 1));
    return false;
  }
  const begun = utcDate(found.run.createdAt);
  const input = found.run.input as ForecastInput;
  const score = scoreForecast(forecast, await valuesNow(em, input, forecast, now));
  if (score && score.periods === score.of) em.remove(watch);
  else if (addDays(begun > last ? begun : last, PATIENCE_DAYS) < today) em.remove(watch);
  else watch.lookAt = startOf(addDays(today, 1));
  if (!score) return false;
  const known = await em.findOne(ForecastScoreRecord, { runUid: uid });
  if (known && JSON.stringify(known.score) === JSON.stringify(score)) return false;
  const { workspace, environment } = tenantOf(em);
  if (known) Object.assign(known, { score, scoredAt: now });
  else {
    em.create(ForecastScoreRecord, {
      runUid: uid,
      workspaceUid: workspace,
      environment,
      score,
      scoredAt: now,
    });
  }
  return true;
}

/** Returns the values of the metric that are known now, by period; empty if the metric can no longer be read. */
async function valuesNow(
  em: Em,
  input: ForecastInput,
  { result }: ScoredForecast,
  now: Date,
): Promise<ReadonlyMap<string, number>> {
  const metric = await findMetric(em, input.metric);
  const ofLedger = metricSource(input.metric).kind === 'ledger';
  const { at, revisions } = await presentKnowledge(em, { now, ofLedger });
  const answer =
    metric &&
    (await metricValues(em, {
      metric,
      company: input.company_id,
      frequency: result.frequency as never,
      knowledge: { at: at.toISOString(), revisions },
    }));
  if (!answer?.ok) return new Map();
  const { frequency, observed } = answer.values;
  return new Map(observed.map(({ lastDay, value }) => [periodName({ frequency, lastDay }), value]));
}

function lastDayOf(period: string): string {
  return readPeriod(period)!.lastDay;
}

function startOf(day: string): Date {
  return instantOf(`${day}T00:00:00Z`);
}
