import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { EVALUATIONS } from './lqm.ts';

/** A checkpoint that passed its evaluation, and its training data. */
export type EvaluatedCheckpoint = {
  versionUid: string;
  version: number;
  contentHash: string;
  authorUid: string;
  trainingUid: string;
  checkpointHash: string;
  evaluationUid: string;
  evaluatedAt: string;
  factors: string[];
  dataset: { id: number; revision: number; content_hash: string };
  /** The day of the last row of the training data. */
  lastMonth: string;
};

/**
 * Returns the checkpoint with the latest passing evaluation of a model; null if no evaluation has passed. Retired
 * versions are ignored.
 */
export async function latestPassingCheckpoint(em: Em, model: string): Promise<EvaluatedCheckpoint | null> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<EvaluatedCheckpoint>`
    select v.uid as "versionUid", v.version, v.content_hash as "contentHash", v.author_uid as "authorUid",
      e.input ->> 'training_uid' as "trainingUid", e.input ->> 'checkpoint_hash' as "checkpointHash",
      e.uid as "evaluationUid",
      to_char(e.finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as "evaluatedAt",
      e.input -> 'factors' as factors, e.input -> 'dataset' as dataset,
      coalesce(t.members #>> '{result,checkpoint,last_month}', t.members #>> '{result,checkpoint,last_day}')
        as "lastMonth"
    from lqm_version v
    join run e on e.input ->> 'version_uid' = v.uid and e.kind = ${EVALUATIONS}
    join run_result r on r.run_uid = e.uid
    join run_result t on t.run_uid = e.input ->> 'training_uid'
    where v.model_uid = ${model} and v.retired_at is null
      and v.workspace_uid = ${workspace} and v.environment = ${environment}
      and e.workspace_uid = ${workspace} and e.environment = ${environment}
      and r.members #>> '{result,passed}' = 'true'
    order by e.finished_at desc, e.uid desc limit 1
  `.execute(em.getKysely());
  return rows[0] ?? null;
}
