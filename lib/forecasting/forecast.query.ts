import { sql } from 'kysely';
import { isUid } from '#lib/core/id.ts';
import type { Em, Tenant } from '#lib/database/base.ts';
import {
  findRunRecord,
  listRuns,
  type ListedRun,
  type RunListQuestion,
} from '#lib/pipeline/run-record.query.ts';
import { Run } from '#lib/pipeline/run.entity.ts';
import { ForecastScoreRecord } from './forecast-score.entity.ts';
import { findScores } from './forecast-score.write.ts';
import type { ForecastScore } from './forecast-score.ts';
import { forecastsRun } from './forecasts.run.ts';
import type { ForecastInput } from './forecasts.schema.ts';

/** Returns the tenant and the state of a forecast, searching all tenants; undefined if the forecast does not exist. */
export async function forecastPlace(
  em: Em,
  uid: string,
): Promise<{ place: Tenant; state: string } | undefined> {
  const { rows } = await sql<Tenant & { state: string }>`
    select workspace_uid as workspace, environment, state from run where uid = ${uid} and kind = ${forecastsRun.key}
  `.execute(em.getKysely());
  const [found] = rows;
  if (!found) return undefined;
  const { state, ...place } = found;
  return { place, state };
}

export type ScoredInput = { runUid: string; score: ForecastScore; input: ForecastInput };

/** Returns the accuracy of the tenant's newest forecasts, with their requests. */
export async function scoredForecasts(em: Em, limit: number): Promise<ScoredInput[]> {
  const scores = await em.find(ForecastScoreRecord, {}, { orderBy: { runUid: 'desc' }, limit });
  const uids = scores.map(({ runUid }) => runUid);
  const runs = await em.find(Run, { uid: { $in: uids } }, { fields: ['uid', 'input'] });
  const inputs = new Map(runs.map(({ uid, input }) => [uid, input as ForecastInput]));
  return scores.map(({ runUid, score }) => ({ runUid, score, input: inputs.get(runUid)! }));
}

export type ScoredForecast = { run: ListedRun; score: ForecastScoreRecord | undefined };

/** Lists the tenant's forecasts, newest first, each with its accuracy. */
export async function listScoredForecasts(
  em: Em,
  question: Omit<RunListQuestion, 'kind'>,
): Promise<ScoredForecast[]> {
  const runs = await listRuns(em, { ...question, kind: forecastsRun.key });
  const scores = await findScores(
    em,
    runs.map(({ uid }) => uid),
  );
  return runs.map((run) => ({ run, score: scores.get(run.uid) }));
}

/**
 * Returns the accuracy of a forecast: null while no value of its horizon is known, undefined if the forecast does not
 * exist.
 */
export async function findForecastScore(
  em: Em,
  uid: string,
): Promise<ForecastScoreRecord | null | undefined> {
  const run = isUid(uid) ? await findRunRecord(em, uid) : undefined;
  if (run?.kind !== forecastsRun.key) return undefined;
  return (await findScores(em, [uid])).get(uid) ?? null;
}
