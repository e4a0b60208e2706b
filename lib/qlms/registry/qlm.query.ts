import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { QlmProfile } from './profile.schema.ts';
import {
  statusOf,
  type ChangeKind,
  type ModelStatus,
  type ServingState,
  type VersionState,
} from './states.ts';

/** The key of the runs that evaluate a version. */
export const QLM_EVALUATIONS = 'modeling.qlm-evaluations';

/** The uid, the verdict and the main figures of the latest sealed evaluation of a version. */
export type EvaluationFacts = {
  uid: string;
  at: string;
  passed: boolean;
  countsForGate: boolean;
  falseAnswers: { n: number; k: number; upper: number };
};

/** A version with its question model and its state. */
export type QlmInVersion = {
  modelUid: string;
  key: string;
  name: string;
  createdAt: string;
  versionUid: string;
  version: number;
  changeKind: ChangeKind;
  profile: QlmProfile;
  contentHash: string;
  authorUid: string;
  writtenAt: string;
  /** The latest sealed evaluation that is valid for the gate, or else the latest sealed evaluation. */
  evaluation: EvaluationFacts | null;
  approvedBy: string | null;
  approvedAt: string | null;
  retiredAt: string | null;
  retiredReason: string | null;
  /** The time in which the version was the serving version: `servedFrom` is its start, `servedTo` its end. */
  servedFrom: string | null;
  servedTo: string | null;
  state: VersionState;
  /** The state of the latest serving entry of the model, and the version and person that the entry names. */
  serving: { state: ServingState; versionUid: string | null; setBy: string } | null;
};

export type QlmQuestion = {
  model?: string | undefined;
  key?: string | undefined;
  versionUid?: string | undefined;
  version?: number | undefined;
  /** Uid of the last version of the previous page. */
  after?: string | undefined;
  limit?: number | undefined;
};

/** Lists a page of the versions of a question model, newest first. */
export function pageOfVersions(
  em: Em,
  page: { model: string; after: string | undefined; limit: number },
): Promise<QlmInVersion[]> {
  return findQlmVersions(em, page);
}

/** Lists versions of the tenant's question models: the newest models first, the newest version of each first. */
export async function findQlmVersions(em: Em, question: QlmQuestion): Promise<QlmInVersion[]> {
  const { workspace, environment } = tenantOf(em);
  const { model, key, versionUid, version, after, limit } = question;
  const conditions = [
    sql`v.workspace_uid = ${workspace}`,
    sql`v.environment = ${environment}`,
    ...(model === undefined ? [] : [sql`v.model_uid = ${model}`]),
    ...(key === undefined ? [] : [sql`m.key = ${key}`]),
    ...(versionUid === undefined ? [] : [sql`v.uid = ${versionUid}`]),
    ...(version === undefined ? [] : [sql`v.version = ${version}`]),
    ...(after === undefined ? [] : [sql`v.uid < ${after}`]),
  ];
  const { rows } = await sql<QlmInVersion>`
    select m.uid as "modelUid", m.key, m.name, ${iso('m.created_at')} as "createdAt", v.uid as "versionUid", v.version,
      v.change_kind as "changeKind", v.profile, v.content_hash as "contentHash", v.author_uid as "authorUid",
      ${iso('v.created_at')} as "writtenAt", evaluation.facts as evaluation, v.approved_by_uid as "approvedBy",
      ${iso('v.approved_at')} as "approvedAt", ${iso('v.retired_at')} as "retiredAt",
      v.retired_reason as "retiredReason", ${iso('served.began')} as "servedFrom", ${iso('served.ended')} as "servedTo",
      case when v.retired_at is not null then 'retired'
        when v.approved_at is not null and serving.version_uid = v.uid then 'approved'
        when v.approved_at is not null then 'superseded'
        when evaluation.facts is not null then 'evaluated' else 'draft' end as state,
      case when serving.id is null then null else json_build_object('state', serving.state,
        'versionUid', serving.version_uid, 'setBy', serving.set_by_uid) end as serving
    from qlm_version v
    join qlm_model m on m.uid = v.model_uid
    left join lateral (
      select id, state, version_uid, set_by_uid from qlm_serving s where s.model_uid = m.uid order by id desc limit 1
    ) serving on true
    left join lateral (
      select min(s.since) as began, max(s.until) filter (where s.is_last) as ended from (
        select s.version_uid, s.since, lead(s.since) over (order by s.id) as until,
          lead(s.version_uid) over (order by s.id) is distinct from s.version_uid as is_last
        from qlm_serving s where s.model_uid = m.uid
      ) s where s.version_uid = v.uid
    ) served on true
    left join lateral (
      select json_build_object('uid', r.uid, 'at', ${iso('r.finished_at')},
        'passed', (e.result ->> 'passed')::boolean, 'countsForGate', (e.result ->> 'counts_for_gate')::boolean,
        'falseAnswers', json_build_object('n', e.result #> '{false_answers,n}', 'k', e.result #> '{false_answers,k}',
          'upper', e.result #> '{false_answers,upper}')) as facts
      from run r join run_result x on x.run_uid = r.uid cross join lateral (select x.members -> 'result' as result) e
      where r.kind = ${QLM_EVALUATIONS} and r.input ->> 'version_uid' = v.uid
        and r.workspace_uid = v.workspace_uid and r.environment = v.environment
      order by (e.result ->> 'counts_for_gate')::boolean desc, r.uid desc limit 1
    ) evaluation on true
    where ${sql.join(conditions, sql` and `)}
    order by v.model_uid desc, v.version desc ${limit === undefined ? sql`` : sql`limit ${limit}`}
  `.execute(em.getKysely());
  return rows;
}

function iso(column: string) {
  return sql`to_char(${sql.ref(column)} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** A question model with its newest version, and the version that is serving or suspended. */
export type QlmListed = {
  newest: QlmInVersion;
  serving: QlmInVersion | null;
  status: ModelStatus;
};

export type QlmPage = {
  status?: ModelStatus | undefined;
  key?: string | undefined;
  after?: string | undefined;
  limit: number;
};

/** Lists the question models of the tenant, newest first. */
export async function listQlms(em: Em, { status, key, after, limit }: QlmPage): Promise<QlmListed[]> {
  const { workspace, environment } = tenantOf(em);
  const state = sql`(select s.state from qlm_serving s where s.model_uid = m.uid order by s.id desc limit 1)`;
  const wanted =
    status === undefined
      ? sql`true`
      : status === 'draft'
        ? sql`${state} is null`
        : status === 'suspended'
          ? sql`${state} in ('suspended', 'resume_requested')`
          : sql`${state} = ${status}`;
  const { rows } = await sql<{ uid: string }>`
    select m.uid from qlm_model m
    where m.workspace_uid = ${workspace} and m.environment = ${environment}
      and (${key ?? null}::text is null or m.key = ${key ?? null})
      and (${after ?? null}::text is null or m.uid < ${after ?? null}) and ${wanted}
    order by m.uid desc limit ${limit}
  `.execute(em.getKysely());
  const listed: QlmListed[] = [];
  for (const { uid } of rows) {
    const found = await findQlm(em, uid);
    if (found) listed.push(found);
  }
  return listed;
}

/** Returns a question model of the tenant; undefined if it does not exist. */
export async function findQlm(em: Em, uid: string): Promise<QlmListed | undefined> {
  const versions = await findQlmVersions(em, { model: uid });
  const [newest] = versions;
  if (!newest) return undefined;
  const { serving } = newest;
  return {
    newest,
    serving: versions.find(({ versionUid }) => versionUid === serving?.versionUid) ?? null,
    status: statusOf(serving?.state ?? null),
  };
}
