import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import {
  EVALUATIONS,
  generativeFamilies,
  TRAININGS,
  type LqmDefinition,
  type LqmFamily,
  type LqmState,
} from './lqm.ts';
import { periods } from './lqm-serving.query.ts';

/** A version of a model, with the model and its state. */
export type LqmInVersion = {
  modelUid: string;
  key: string;
  name: string;
  family: LqmFamily;
  versionUid: string;
  version: number;
  state: LqmState;
  definition: LqmDefinition;
  /** The sealed snapshots from which the training data was built; null for imported data. */
  snapshots: {
    project_id: number;
    project_version: number;
    count: number;
    first: string;
    last: string;
  } | null;
  contentHash: string;
  authorUid: string;
  /** The latest sealed training of the version. The next member is the hash of its checkpoint. */
  trainingUid: string | null;
  checkpointHash: string | null;
  /** The latest sealed evaluation of the checkpoint that the latest training produced. */
  evaluationUid: string | null;
  passed: boolean | null;
  approvedBy: string | null;
  approvedAt: string | null;
  retiredAt: string | null;
  createdAt: string;
  /**
   * Whether this is the serving version, either for generative runs of the tenant or for predictions of the model of
   * this version.
   */
  serves: boolean;
};

export type LqmQuestion = {
  model?: string | undefined;
  key?: string | undefined;
  version?: number | undefined;
  versionUid?: string | undefined;
  state?: LqmState | undefined;
  family?: LqmFamily | undefined;
  /** A day. Only the serving versions at its end (UTC) are returned. */
  servedOn?: string | undefined;
  /** Uid of the last model of the previous page. */
  after?: string | undefined;
  limit?: number | undefined;
};

/** Lists versions of the tenant's models: the newest models first, and the newest version of each first. */
export async function findLqms(em: Em, question: LqmQuestion): Promise<LqmInVersion[]> {
  const { workspace, environment } = tenantOf(em);
  const { model, key, version, versionUid, state, family, servedOn, after, limit } = question;
  const conditions = [
    ...(model === undefined ? [] : [sql`"modelUid" = ${model}`]),
    ...(key === undefined ? [] : [sql`key = ${key}`]),
    ...(version === undefined ? [] : [sql`version = ${version}`]),
    ...(versionUid === undefined ? [] : [sql`"versionUid" = ${versionUid}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(family === undefined ? [] : [sql`family = ${family}`]),
    ...(servedOn === undefined ? [] : [servedAtEndOf(servedOn, workspace, environment)]),
    ...(after === undefined ? [] : [sql`"versionUid" < ${after}`]),
  ];
  const { rows } = await sql<LqmInVersion>`
    select * from (${versions(workspace, environment)}) lqm
    ${conditions.length ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}
    order by "versionUid" desc ${limit === undefined ? sql`` : sql`limit ${limit}`}
  `.execute(em.getKysely());
  return rows;
}

/** Returns the serving version for generative runs of the tenant; null if there is none. */
export async function servingLqm(em: Em): Promise<LqmInVersion | null> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<LqmInVersion>`
    select * from (${versions(workspace, environment)}) lqm where serves and family = any(${[...generativeFamilies]})
  `.execute(em.getKysely());
  return rows[0] ?? null;
}

const snapshots = sql`
  select json_build_object('project_id', (n.snapshots ->> 'project_id')::integer,
    'project_version', (n.snapshots ->> 'project_version')::integer,
    'count', json_array_length(n.snapshots -> 'snapshots'),
    'first', n.snapshots #>> '{snapshots,0,as_of_date}', 'last', n.snapshots -> 'snapshots' -> -1 ->> 'as_of_date')
  from numeric_version n
  where n.dataset_id = (v.definition #>> '{dataset,id}')::integer
    and n.revision = (v.definition #>> '{dataset,revision}')::integer and n.snapshots is not null`;

function servedAtEndOf(day: string, workspace: string, environment: string) {
  const end = `${day}T23:59:59.999Z`;
  return sql`exists (select from (${periods(workspace, environment)}) p where p.version_uid = "versionUid"
    and p.since <= ${end} and (p.until is null or p.until > ${end}))`;
}

function versions(workspace: string, environment: string) {
  const iso = (column: string) =>
    sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
  const sealed = (kind: string) => sql`
    select r.uid, s.members -> 'result' as result from run r join run_result s on s.run_uid = r.uid
    where r.kind = ${kind} and r.input ->> 'version_uid' = v.uid
      and r.workspace_uid = ${workspace} and r.environment = ${environment}`;
  return sql`
    select m.uid as "modelUid", m.key, m.name, m.family, v.uid as "versionUid", v.version, v.definition,
      (${snapshots}) as snapshots,
      v.content_hash as "contentHash", v.author_uid as "authorUid",
      training.uid as "trainingUid", training.result ->> 'checkpoint_hash' as "checkpointHash",
      evaluation.uid as "evaluationUid", (evaluation.result ->> 'passed')::boolean as passed,
      v.approved_by_uid as "approvedBy", ${iso('v.approved_at')} as "approvedAt", ${iso('v.retired_at')} as "retiredAt",
      ${iso('v.created_at')} as "createdAt",
      v.uid is not distinct from (
        select version_uid from lqm_serving
        where workspace_uid = ${workspace} and environment = ${environment}
          and case when m.family = any(${[...generativeFamilies]}) then purpose = 'generative' else model_uid = m.uid end
        order by id desc limit 1
      ) as serves,
      case when v.retired_at is not null then 'retired' when v.approved_at is not null then 'approved'
        when evaluation.uid is not null then 'evaluated' when training.uid is not null then 'trained'
        else 'draft' end as state
    from lqm_version v
    join lqm_model m on m.uid = v.model_uid
    left join lateral (${sealed(TRAININGS)} order by r.uid desc limit 1) training on true
    left join lateral (
      ${sealed(EVALUATIONS)} and s.members -> 'result' ->> 'checkpoint_hash' = training.result ->> 'checkpoint_hash'
      order by r.uid desc limit 1
    ) evaluation on true
    where v.workspace_uid = ${workspace} and v.environment = ${environment}`;
}
