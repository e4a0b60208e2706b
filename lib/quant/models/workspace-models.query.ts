import { sql, type RawBuilder } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { EVALUATIONS, generativeFamilies, type LqmFamily } from '#lib/models/registry/lqm.ts';
import { periods } from '#lib/models/registry/lqm-serving.query.ts';
import type { RunnableState } from './runnable-model.ts';

/** A numeric model of the workspace, with the serving version for runs of the model. */
export type WorkspaceModel = {
  uid: string;
  key: string;
  name: string;
  family: LqmFamily;
  /**
   * The serving version for runs; null if there is none. For a generative model, this is its newest approved version.
   * For a prediction model, it is the version in use.
   */
  serving: number | null;
  state: RunnableState;
  /** The latest sealed evaluation of any version; null if there is none. */
  evaluation: { uid: string; version: number; passed: boolean; finished_at: string } | null;
};

export type WorkspaceModelQuestion = {
  /** The uid or the key of the only model to return. */
  named?: string | undefined;
  families?: readonly LqmFamily[] | undefined;
  state?: RunnableState | undefined;
  /** A day. Only models with a version that was in use at its end (UTC) are returned. */
  servedOn?: string | undefined;
  /** The uid of the last model of the previous page. */
  after?: string | undefined;
  limit: number;
};

/** Lists the numeric models of the tenant, newest first. */
export async function workspaceModels(em: Em, question: WorkspaceModelQuestion): Promise<WorkspaceModel[]> {
  const { workspace, environment } = tenantOf(em);
  const { named, families, state, servedOn, after, limit } = question;
  const conditions = [
    ...(named === undefined ? [] : [sql`(uid = ${named} or key = ${named})`]),
    ...(families === undefined ? [] : [sql`family = any(${[...families]}::text[])`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(servedOn === undefined ? [] : [inUseAtEndOf(servedOn, workspace, environment)]),
    ...(after === undefined ? [] : [sql`uid < ${after}`]),
  ];
  const { rows } = await sql<WorkspaceModel>`
    with listed as (
      select * from (${models(workspace, environment)}) model
      ${conditions.length ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}
      order by uid desc limit ${limit}
    )
    select listed.*, evaluation.found as evaluation from listed
    left join lateral (
      select json_build_object('uid', e.uid, 'version', (e.input ->> 'version')::integer,
        'passed', (r.members #>> '{result,passed}')::boolean,
        'finished_at', to_char(e.finished_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')) as found
      from lqm_version v
      join run e on e.input ->> 'version_uid' = v.uid and e.kind = ${EVALUATIONS}
        and e.workspace_uid = ${workspace} and e.environment = ${environment}
      join run_result r on r.run_uid = e.uid
      where v.model_uid = listed.uid and v.workspace_uid = ${workspace} and v.environment = ${environment}
      order by e.finished_at desc, e.uid desc limit 1
    ) evaluation on true
    order by uid desc
  `.execute(em.getKysely());
  return rows;
}

/** Selects each model of the tenant with its serving version and its state. */
function models(workspace: string, environment: string): RawBuilder<unknown> {
  const approved = sql`v.approved_at is not null and v.retired_at is null`;
  return sql`
    select uid, key, name, family, serving,
      case when serving is not null then 'active' when approved is not null then 'suspended'
        when "isRetired" then 'retired' else 'candidate' end as state
    from (
      select m.uid, m.key, m.name, m.family, known.approved, known."isRetired",
        case when m.family = any(${[...generativeFamilies]}::text[]) then known.approved else (
          select v.version from (
            select version_uid from lqm_serving
            where workspace_uid = ${workspace} and environment = ${environment} and model_uid = m.uid
            order by id desc limit 1
          ) latest join lqm_version v on v.uid = latest.version_uid and ${approved}
        ) end as serving
      from lqm_model m
      cross join lateral (
        select max(v.version) filter (where ${approved}) as approved,
          coalesce(bool_and(v.retired_at is not null), false) as "isRetired"
        from lqm_version v where v.model_uid = m.uid
          and v.workspace_uid = ${workspace} and v.environment = ${environment}
      ) known
      where m.workspace_uid = ${workspace} and m.environment = ${environment}
    ) each_model`;
}

function inUseAtEndOf(day: string, workspace: string, environment: string): RawBuilder<unknown> {
  const end = `${day}T23:59:59.999Z`;
  return sql`exists (
    select from (${periods(workspace, environment)}) p join lqm_version v on v.uid = p.version_uid
    where v.model_uid = model.uid and p.since <= ${end} and (p.until is null or p.until > ${end}))`;
}
