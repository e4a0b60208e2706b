import { isUid } from '#lib/core/id.ts';
import type { Em } from '#lib/database/base.ts';
import {
  findRunRecord,
  listRuns,
  type ListedRun,
  type RunListQuestion,
} from '#lib/pipeline/run-record.repository.ts';
import type { ForecastScoreRecord } from './forecast-score.entity.ts';
import { findScores } from './forecast-score.repository.ts';
import { forecastsRun } from './forecasts.run.ts';

export type ScoredForecast = { run: ListedRun; score: ForecastScoreRecord | undefined };

/** The tenant's forecasts, newest first, each with how it came out. */
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

/** How a forecast came out: null while no value of its horizon is known, undefined where there is no such forecast. */
export async function findForecastScore(
  em: Em,
  uid: string,
): Promise<ForecastScoreRecord | null | undefined> {
  const run = isUid(uid) ? await findRunRecord(em, uid) : undefined;
  if (run?.kind !== forecastsRun.key) return undefined;
  return (await findScores(em, [uid])).get(uid) ?? null;
}
