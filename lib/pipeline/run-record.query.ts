import { sql, type RawBuilder } from 'kysely';
import type { StoredProblem } from '#lib/core/problem.ts';
import { tenantOf, type Em, type StatementEm } from '#lib/database/base.ts';
import { isTerminal, runStates, type RunState } from './run.ts';

/** The record of a run: its state and the hash of its result, without its input. */
export type RunRecord = {
  uid: string;
  kind: string;
  state: RunState;
  progress: number;
  attempts: number;
  modelKey: string;
  modelVersion: string;
  inputHash: string;
  requestId: string;
  problem: StoredProblem | null;
  createdAt: Date;
  startedAt: Date | null;
  finishedAt: Date | null;
  resultHash: string | null;
};

/** A run in a list, with those members of the input that the kind of the run declares for lists. */
export type ListedRun = RunRecord & { summary: Record<string, unknown> };

/** The record of a run with its complete input. The input can have a megabyte. */
export type WholeRun = RunRecord & {
  input: Record<string, unknown>;
  datasetRevisions: Record<string, number>;
};

type Instants = 'createdAt' | 'startedAt' | 'finishedAt';
/** The row of a record. Its instants are read as milliseconds since 1970. */
export type RowOf<R> = Omit<R, Instants> & Record<Instants, number | null>;

/** The columns of the table `run` in a run record, without its input, which can have several megabytes. */
export const ownColumns = `
  uid, kind, state, progress, attempts, model_key as "modelKey", model_version as "modelVersion",
  input_hash as "inputHash", request_id as "requestId", problem,
  (extract(epoch from created_at) * 1000)::float8 as "createdAt",
  (extract(epoch from started_at) * 1000)::float8 as "startedAt",
  (extract(epoch from finished_at) * 1000)::float8 as "finishedAt"`;

/** The columns of a run record. */
export const runColumns = `${ownColumns},
  (select result_hash from run_result where run_uid = run.uid) as "resultHash"`;

/** A condition on the table `run`: the row has this uid and belongs to the current tenant. */
export function isOwnRun(em: StatementEm, uid: string): RawBuilder<boolean> {
  return sql<boolean>`uid = ${uid} and ${isOfTenant(em)}`;
}

/**
 * A condition that the row belongs to the current tenant, for statements that find rows by their uids. No index serves
 * this condition. With plain equality, a plan that PostgreSQL makes before the table has statistics may read all rows of
 * the workspace instead of the row of the uid. `table` is the alias of the table, if the statement has several.
 */
export function isOfTenant(em: StatementEm, table?: string): RawBuilder<boolean> {
  const { workspace, environment } = tenantOf(em);
  const column = (name: string) => sql.ref(table === undefined ? name : `${table}.${name}`);
  return sql<boolean>`(${column('workspace_uid')}, ${column('environment')}) is not distinct from (${workspace}, ${environment})`;
}

/** Returns the record of a run of the current tenant; undefined if the run does not exist. */
export function findRunRecord(em: StatementEm, uid: string): Promise<RunRecord | undefined> {
  return readRow<RunRecord>(em, uid, runColumns);
}

/** Returns the record of a run with its input. Otherwise works like `findRunRecord`. */
export function findWholeRun(em: Em, uid: string): Promise<WholeRun | undefined> {
  return readRow<WholeRun>(em, uid, `${runColumns}, input, dataset_revisions as "datasetRevisions"`);
}

/** Returns the uid of the application that submitted a run of the current tenant. Throws if the run does not exist. */
export async function applicationOfRun(em: Em, uid: string): Promise<string> {
  const { rows } = await sql<{ application: string }>`
    select application_uid as application from run
    where ${isOwnRun(em, uid)}
  `.execute(em.getKysely());
  if (!rows[0]) throw new Error(`the run ${uid} does not exist`);
  return rows[0].application;
}

/** Runs one statement outside the ORM. The statement filters by tenant, in addition to row-level security. */
async function readRow<R extends RunRecord>(
  em: StatementEm,
  uid: string,
  selected: string,
): Promise<R | undefined> {
  const { rows } = await sql<RowOf<R>>`
    select ${sql.raw(selected)} from run
    where ${isOwnRun(em, uid)}
  `.execute(em.getKysely());
  return rows[0] && recordOf<R>(rows[0]);
}

/** Returns the uids of those runs of a list that have not ended, for the current tenant. */
export async function openRuns(em: StatementEm, uids: readonly string[]): Promise<Set<string>> {
  const open = runStates.filter((state) => !isTerminal(state));
  const { rows } = await sql<{ uid: string }>`
    select uid from run where uid = any(${[...uids]}::text[]) and ${isOfTenant(em)} and state = any(${open}::text[])
  `.execute(em.getKysely());
  return new Set(rows.map(({ uid }) => uid));
}

export type RunListQuestion = {
  /** The kind of run, or several kinds, to list. Default: all. */
  kind?: string | readonly string[] | undefined;
  state?: RunState | undefined;
  /** Members of the summary, each with the value that listed runs must have. */
  summary?: Record<string, unknown> | undefined;
  /** The days of submission (UTC) to list: first and last day, both inclusive. */
  submitted?: { from?: string | undefined; to?: string | undefined };
  /** The uid of the last run of the previous page. */
  after: string | undefined;
  limit: number;
};

/**
 * Lists the tenant's runs, newest first. After its prefix, a uid increases with time, so the uid is the only sort key.
 */
export async function listRuns(em: Em, question: RunListQuestion): Promise<ListedRun[]> {
  const { workspace, environment } = tenantOf(em);
  const { kind, state, summary, submitted: { from, to } = {}, after, limit } = question;
  const conditions = [
    sql`workspace_uid = ${workspace}`,
    sql`environment = ${environment}`,
    ...(kind === undefined ? [] : [sql`kind = any(${[kind].flat()}::text[])`]),
    ...(state === undefined ? [] : [sql`state = ${state}`]),
    ...(after === undefined ? [] : [sql`right(uid, 26) < right(${after}, 26)`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}::date::timestamp at time zone 'utc'`]),
    ...(to === undefined ? [] : [sql`created_at < (${to}::date + 1)::timestamp at time zone 'utc'`]),
    ...(summary === undefined ? [] : [sql`summary @> ${JSON.stringify(summary)}::jsonb`]),
  ];
  const { rows } = await sql<RowOf<ListedRun>>`
    select ${sql.raw(runColumns)}, summary from run where ${sql.join(conditions, sql` and `)}
    order by right(uid, 26) desc limit ${limit}
  `.execute(em.getKysely());
  return rows.map((row) => recordOf<ListedRun>(row));
}

/** Returns the record of a row. */
export function recordOf<R extends RunRecord>(row: RowOf<R>): R {
  const { createdAt, startedAt, finishedAt } = row;
  const instants = {
    createdAt: instant(createdAt)!,
    startedAt: instant(startedAt),
    finishedAt: instant(finishedAt),
  };
  return { ...row, ...instants } as unknown as R;
}

function instant(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
