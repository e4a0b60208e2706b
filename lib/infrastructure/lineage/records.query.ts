import { sql, type RawBuilder } from 'kysely';
import type { DatasetKind } from '#lib/data/dataset-kind.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';

/** Returns an SQL condition that is true for those rows of a table that belong to the tenant. */
function own(em: Em, table: string): RawBuilder<boolean> {
  const { workspace, environment } = tenantOf(em);
  return sql`${sql.ref(`${table}.workspace_uid`)} = ${workspace} and ${sql.ref(`${table}.environment`)} = ${environment}`;
}

export type RunFacts = {
  uid: string;
  kind: string;
  state: string;
  application: string;
  problem: string | null;
  createdAt: string;
  finishedAt: string | null;
  resultHash: string | null;
  parent: string | null;
  version: string | null;
};

/** Returns the runs with these uids. Unknown uids are left out. */
export async function readRuns(em: Em, uids: readonly string[]): Promise<RunFacts[]> {
  if (uids.length === 0) return [];
  const { rows } = await sql<RunFacts>`
    select r.uid, r.kind, r.state, r.application_uid as application, r.problem ->> 'code' as problem,
      ${instant(sql`r.created_at`)} as "createdAt", ${instant(sql`r.finished_at`)} as "finishedAt",
      o.result_hash as "resultHash", s.run_uid as parent,
      case when r.kind = 'modeling.trainings' then r.input ->> 'version_uid' end as version
    from run r left join run_result o on o.run_uid = r.uid left join workflow_step_run s on s.job_uid = r.uid
    where r.uid = any(${[...uids]}::text[]) and ${own(em, 'r')}
  `.execute(em.getKysely());
  return rows;
}

export type Reference = { uid: string; run: string };

/** Returns the references of these runs and answers to other records. */
export async function referencesOf(em: Em, runs: readonly string[]): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select uid, run_uid as run from run_reference f where run_uid = any(${[...runs]}::text[]) and ${own(em, 'f')}
    union all
    select uid, answer_uid from answer_reference a where answer_uid = any(${[...runs]}::text[]) and ${own(em, 'a')}
  `.execute(em.getKysely());
  return rows;
}

/** Returns at most `limit` references of runs and answers to these records, ordered by record. */
export async function referencesTo(em: Em, uids: readonly string[], limit: number): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select uid, run_uid as run from run_reference f where uid = any(${[...uids]}::text[]) and ${own(em, 'f')}
    union all
    select uid, answer_uid from answer_reference a where uid = any(${[...uids]}::text[]) and ${own(em, 'a')}
    order by uid, run limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

export type RevisionFacts = {
  id: number;
  uid: string;
  kind: DatasetKind;
  revision: number;
  import: string;
  importedAt: string;
};

/** Returns the imports that made these revisions of datasets. */
export async function readRevisions(
  em: Em,
  wanted: readonly { id: number; revision: number }[],
): Promise<RevisionFacts[]> {
  const { rows } = await sql<RevisionFacts>`
    select d.id, d.uid, d.kind, i.revision, i.uid as import, ${instant(sql`i.imported_at`)} as "importedAt"
    from unnest(${wanted.map(({ id }) => id)}::int[], ${wanted.map(({ revision }) => revision)}::int[]) w (id, revision)
    join dataset d on d.id = w.id
    join dataset_import i on i.dataset_id = w.id and i.revision = w.revision
  `.execute(em.getKysely());
  return rows;
}

/** Returns the id and the current revision of a dataset; undefined if the tenant may not read it. */
export async function currentDataset(
  em: Em,
  uid: string,
): Promise<{ id: number; revision: number } | undefined> {
  const { workspace } = tenantOf(em);
  const { rows } = await sql<{ id: number; revision: number }>`
    select d.id, d.revision from dataset d
    where d.uid = ${uid} and exists (
      select from dataset_entitlement e where e.dataset_id = d.id and e.workspace_uid = ${workspace})
  `.execute(em.getKysely());
  return rows[0];
}

export type ModelFacts = {
  uid: string;
  model: string;
  contentHash: string;
  columns: { name: string }[] | null;
  dataset: { id: number; revision: number } | null;
};

/** Returns versions of numeric models. Each of `uids` names a version, or a model whose versions are all returned. */
export async function readModels(em: Em, uids: readonly string[]): Promise<ModelFacts[]> {
  const { rows } = await sql<ModelFacts>`
    select v.uid, v.model_uid as model, v.content_hash as "contentHash", v.definition -> 'columns' as columns,
      v.definition -> 'dataset' as dataset
    from lqm_version v where (v.uid = any(${[...uids]}::text[]) or v.model_uid = any(${[...uids]}::text[])) and ${own(em, 'v')}
    order by v.uid
  `.execute(em.getKysely());
  return rows;
}

export type WorkflowFacts = {
  uid: string;
  key: string;
  state: string;
  application: string;
  error: string | null;
  createdAt: string;
  endedAt: string | null;
};

/** Returns workflow runs by their uids. */
export async function readWorkflowRuns(em: Em, uids: readonly string[]): Promise<WorkflowFacts[]> {
  const { rows } = await sql<WorkflowFacts>`
    select w.uid, w.workflow_key as key, w.state, w.application_uid as application, w.error_code as error,
      ${instant(sql`w.created_at`)} as "createdAt", ${instant(sql`w.ended_at`)} as "endedAt"
    from workflow_run w where w.uid = any(${[...uids]}::text[]) and ${own(em, 'w')}
  `.execute(em.getKysely());
  return rows;
}

/** Returns the runs that the steps of workflow runs submitted, each with its workflow run. */
export async function readMembers(
  em: Em,
  uids: readonly string[],
): Promise<{ whole: string; run: string }[]> {
  const { rows } = await sql<{ whole: string; run: string }>`
    select s.run_uid as whole, s.job_uid as run from workflow_step_run s
    where s.run_uid = any(${[...uids]}::text[]) and ${own(em, 's')} order by 1, 2
  `.execute(em.getKysely());
  return rows;
}

export type RecordFacts = { uid: string; kind: string; version: string };

/**
 * Returns obligations, order batches and portfolios by their uids. The version of a portfolio is its newest recorded
 * event.
 */
export async function readRecords(em: Em, uids: readonly string[]): Promise<RecordFacts[]> {
  const { rows } = await sql<RecordFacts>`
    select o.uid, 'obligation' as kind, o.record_hash as version from obligation o
    where o.uid = any(${[...uids]}::text[]) and ${own(em, 'o')}
    union all
    select b.uid, 'order_batch', b.envelope_hash from order_batch b
    where b.uid = any(${[...uids]}::text[]) and ${own(em, 'b')}
    union all
    select p.uid, 'portfolio', coalesce((
      select max(e.uid) from portfolio_event e where e.portfolio_uid = p.uid and ${own(em, 'e')}), p.uid)
    from portfolio p where p.uid = any(${[...uids]}::text[]) and ${own(em, 'p')}
  `.execute(em.getKysely());
  return rows;
}

export type AnswerFacts = { uid: string; application: string; askedAt: string; resultHash: string };

/** Returns sealed answers of question models by their uids. */
export async function readAnswers(em: Em, uids: readonly string[]): Promise<AnswerFacts[]> {
  const { rows } = await sql<AnswerFacts>`
    select a.uid, a.application_uid as application, ${instant(sql`a.asked_at`)} as "askedAt",
      a.result_hash as "resultHash"
    from qlm_answer a where a.uid = any(${[...uids]}::text[]) and ${own(em, 'a')}
  `.execute(em.getKysely());
  return rows;
}
