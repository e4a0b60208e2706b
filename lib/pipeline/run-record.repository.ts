import { sql } from 'kysely';
import type { StoredProblem } from '#lib/core/problem.ts';
import { tenantOf } from '#lib/database/base.ts';
import type { Em } from '#lib/database/orm.ts';
import type { RunState } from './run.ts';

/** A run as its readers see it: its record, and the hash of what it sealed. */
export type RunRecord = {
  uid: string;
  kind: string;
  state: RunState;
  progress: number;
  attempts: number;
  modelKey: string;
  modelVersion: string;
  input: Record<string, unknown>;
  inputHash: string;
  datasetRevisions: Record<string, number>;
  requestId: string;
  problem: StoredProblem | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  resultHash: string | null;
};

type Instants = 'createdAt' | 'startedAt' | 'finishedAt';
/** Instants come as milliseconds since 1970. */
type Row = Omit<RunRecord, Instants> & Record<Instants, number | null>;

/** The columns of a record. The result, which may be megabytes, stays where it is. */
const columns = `
  uid, kind, state, progress, attempts, model_key as "modelKey", model_version as "modelVersion",
  input, input_hash as "inputHash", dataset_revisions as "datasetRevisions", request_id as "requestId", problem,
  (extract(epoch from created_at) * 1000)::float8 as "createdAt",
  (extract(epoch from started_at) * 1000)::float8 as "startedAt",
  (extract(epoch from finished_at) * 1000)::float8 as "finishedAt",
  (select result_hash from run_result where run_uid = run.uid) as "resultHash"`;

/**
 * Reads the record of a run in one statement, past the ORM: it is what callers poll. The em's tenant is asked for here
 * as well as by row-level security; without one it throws.
 */
export async function findRunRecord(em: Em, uid: string): Promise<RunRecord | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Row>`
    select ${sql.raw(columns)} from run
    where uid = ${uid} and workspace_uid = ${workspace} and environment = ${environment}
  `.execute(em.getKysely());
  return rows[0] && recordOf(rows[0]);
}

export type RunListQuestion = {
  kind?: string | undefined;
  state?: RunState | undefined;
  /** Members that the resolved input must have. */
  input?: Record<string, unknown> | undefined;
  /** First and last day of submission (UTC). */
  submitted?: { from?: string | undefined; to?: string | undefined };
  /** The uid of the last run of the page before. */
  after: string | undefined;
  most: number;
};

/** The tenant's runs, newest first: behind its prefix a uid grows with time, so it alone orders them. */
export async function listRuns(em: Em, question: RunListQuestion): Promise<RunRecord[]> {
  const { workspace, environment } = tenantOf(em);
  const { kind, state, input, submitted: { from, to } = {}, after, most } = question;
  const conditions = [
    sql`workspace_uid = ${workspace}`,
    sql`environment = ${environment}`,
    ...(kind === undefined ? [] : [sql`kind = ${kind}`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(after === undefined ? [] : [sql`right(uid, 26) < right(${after}, 26)`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}::date::timestamp at time zone 'utc'`]),
    ...(to === undefined ? [] : [sql`created_at < (${to}::date + 1)::timestamp at time zone 'utc'`]),
    ...(input === undefined ? [] : [sql`input @> ${JSON.stringify(input)}::jsonb`]),
  ];
  const { rows } = await sql<Row>`
    select ${sql.raw(columns)} from run where ${sql.join(conditions, sql` and `)}
    order by right(uid, 26) desc limit ${most}
  `.execute(em.getKysely());
  return rows.map(recordOf);
}

function recordOf({ createdAt, startedAt, finishedAt, ...row }: Row): RunRecord {
  return {
    ...row,
    createdAt: instant(createdAt)!,
    startedAt: instant(startedAt),
    finishedAt: instant(finishedAt),
  };
}

function instant(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
