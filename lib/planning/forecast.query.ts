import { sql } from 'kysely';
import type { Em, Tenant } from '#lib/database/base.ts';
import { Run } from '#lib/pipeline/run.entity.ts';
import { forecastsJob } from './forecasts.job.ts';
import type { ForecastInput } from './forecasts.schema.ts';
import { ForecastScoreRecord } from './forecast-score.entity.ts';
import type { ForecastScore } from './forecast-score.ts';

/** Where a forecast is, and in which state, across all tenants; undefined where there is none. */
export async function forecastPlace(
  em: Em,
  uid: string,
): Promise<{ place: Tenant; state: string } | undefined> {
  const { rows } = await sql<Tenant & { state: string }>`
    select workspace_uid as workspace, environment, state from run where uid = ${uid} and kind = ${forecastsJob.key}
  `.execute(em.getKysely());
  const [found] = rows;
  if (!found) return undefined;
  const { state, ...place } = found;
  return { place, state };
}

export type ScoredInput = { runUid: string; score: ForecastScore; input: ForecastInput };

/** How the newest forecasts of the tenant came out, with what they were asked for. */
export async function scoredForecasts(em: Em, most: number): Promise<ScoredInput[]> {
  const scores = await em.find(ForecastScoreRecord, {}, { orderBy: { runUid: 'desc' }, limit: most });
  const uids = scores.map(({ runUid }) => runUid);
  const runs = await em.find(Run, { uid: { $in: uids } }, { fields: ['uid', 'input'] });
  const inputs = new Map(runs.map(({ uid, input }) => [uid, input as ForecastInput]));
  return scores.map(({ runUid, score }) => ({ runUid, score, input: inputs.get(runUid)! }));
}
