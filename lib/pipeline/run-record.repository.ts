import type { StoredProblem } from '#lib/core/problem.ts';
import { tenantOf } from '#lib/database/base.ts';
import type { Em } from '#lib/database/orm.ts';
import type { RunState } from './run.ts';

/** A run as a reader of jobs sees it: its record, and the hash of what it sealed. */
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

type Instants = 'createdAt' | 'startedAt' | 'finishedAt';
/** Instants come as milliseconds since 1970. */
type Row = Omit<RunRecord, Instants> & Record<Instants, number | null>;

const READ = `
  select uid, kind, state, progress, attempts, model_key as "modelKey", model_version as "modelVersion",
    input_hash as "inputHash", request_id as "requestId", problem,
    (extract(epoch from created_at) * 1000)::float8 as "createdAt",
    (extract(epoch from started_at) * 1000)::float8 as "startedAt",
    (extract(epoch from finished_at) * 1000)::float8 as "finishedAt",
    (select result_hash from run_result where run_uid = run.uid) as "resultHash"
  from run where uid = ? and workspace_uid = ? and environment = ?`;

/**
 * Reads the record of a run in one statement, past the ORM: it is what callers poll. The result, which may be
 * megabytes, stays where it is. The em's tenant is asked for here as well as by row-level security; without one the
 * em throws.
 */
export async function findRunRecord(em: Em, uid: string): Promise<RunRecord | undefined> {
  const { workspace, environment } = tenantOf(em);
  const [row] = await em.execute<Row[]>(READ, [uid, workspace, environment]);
  return row && { ...row, createdAt: instant(row.createdAt)!, ...instantsOf(row) };
}

function instantsOf({ startedAt, finishedAt }: Row) {
  return { startedAt: instant(startedAt), finishedAt: instant(finishedAt) };
}

function instant(milliseconds: number | null): Date | null {
  return milliseconds === null ? null : new Date(milliseconds);
}
