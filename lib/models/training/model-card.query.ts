import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { findNumericDataset, snapshotsOf } from '#lib/data/numeric-dataset.write.ts';
import { findRun } from '#lib/pipeline/run.write.ts';
import { presentLqm } from '#lib/models/registry/lqm-card.ts';
import { servingPeriods } from '#lib/models/registry/lqm-serving.query.ts';
import type { LqmInVersion } from '#lib/models/registry/lqm.query.ts';
import type { AnyCheckpoint } from '#lib/models/registry/model-run.schema.ts';
import { parameterCount, uses } from './model-card.ts';

/**
 * Returns everything known about a version: its definition and use, its data, its evaluations, its decisions and its
 * limits.
 */
export async function modelCard(em: Em, found: LqmInVersion): Promise<Record<string, unknown>> {
  const training = await resultOf(em, found.trainingUid);
  const { checkpoint, ...fitted } = training ?? {};
  const dataset = await findNumericDataset(em, found.definition.dataset.id);
  const { training_data, ...card } = presentLqm(found);
  return {
    ...card,
    ...uses[found.family],
    training_data: {
      ...training_data,
      name: dataset?.name ?? null,
      owner: dataset?.owner ?? null,
      licence: dataset?.licence ?? null,
      source: dataset?.source ?? null,
      snapshots: await snapshotsOf(em, found.definition.dataset),
    },
    size: {
      columns: found.definition.columns.length,
      rows: (fitted['months'] ?? fitted['rows'] ?? null) as number | null,
      parameters: checkpoint ? parameterCount(checkpoint as AnyCheckpoint) : null,
    },
    training: training ? fitted : null,
    evaluation: await resultOf(em, found.evaluationUid),
    serving: (await servingPeriods(em, found.modelUid))
      .filter(({ versionUid }) => versionUid === found.versionUid)
      .map(({ purpose, since, until, setBy }) => ({ purpose, since, until, set_by: setBy })),
    drift: await newestDrift(em, found.versionUid),
    retraining: await retrainings(em, found.versionUid),
  };
}

async function resultOf(em: Em, run: string | null): Promise<Record<string, unknown> | null> {
  const sealed = run === null ? undefined : await findRun(em, run);
  return (sealed?.result?.members['result'] ?? null) as Record<string, unknown> | null;
}

/** The newest sealed drift assessment of a version. */
export type NewestDrift = {
  assessment_uid: string;
  dataset_id: number;
  severity: string;
  performance: string;
  assessed_at: string;
};

/** Returns the newest drift assessment of a version; null if there is none. */
export async function newestDrift(em: Em, version: string): Promise<NewestDrift | null> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<NewestDrift>`
    select r.uid as assessment_uid, (r.input #>> '{dataset,id}')::integer as dataset_id,
      s.members #>> '{result,severity}' as severity, s.members #>> '{result,performance,state}' as performance,
      to_char(r.finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as assessed_at
    from run r join run_result s on s.run_uid = r.uid
    where r.kind = 'modeling.drift-assessments' and r.input ->> 'version_uid' = ${version}
      and r.workspace_uid = ${workspace} and r.environment = ${environment}
    order by r.uid desc limit 1
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

/** Reads the requests to retrain the version, and the request whose approval led to this version. */
async function retrainings(em: Em, version: string): Promise<unknown[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql`
    select uid, state, assessment_uid, reviewed_by_uid as reviewed_by, reason, version_uid as of_version_uid,
      trained_version_uid, training_uid
    from retraining_request
    where (version_uid = ${version} or trained_version_uid = ${version})
      and workspace_uid = ${workspace} and environment = ${environment}
    order by uid desc limit 50
  `.execute(em.getKysely());
  return rows;
}
