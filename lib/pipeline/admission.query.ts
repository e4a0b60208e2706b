import { sql } from 'kysely';
import type { QueueName } from '#lib/core/run.ts';
import type { TraceCarrier } from '#lib/core/tracing.ts';
import { serviceClassLimits, type Environment, type Em, type Tenant } from '#lib/database/base.ts';

/** A run that may be queued now. Runs with smaller tags run first. */
export type Admitted = Tenant & {
  uid: string;
  kind: string;
  queue: QueueName;
  tag: number;
  /** The trace context of the submitting request, if known. */
  trace?: TraceCarrier;
};

type AdmittedRow = {
  run_uid: string;
  workspace_uid: string;
  environment: Environment;
  kind: string;
  tag: number;
};

const limits = JSON.stringify(
  Object.fromEntries(
    Object.entries(serviceClassLimits).map(([name, { runningRuns }]) => [name, runningRuns]),
  ),
);

/**
 * Admits waiting runs of a workspace in the caller's transaction, as many as the service class of the workspace allows.
 * The oldest runs come first, and background runs come last. Transactions that admit runs of the same workspace run one
 * after another.
 *
 * Each admitted run gets a tag, and the queue starts the run with the smallest tag first. The tags follow start-time
 * fair queueing (Goyal, Vin and Cheng 1997): a new tag is above the last tag of the workspace and above the current tag
 * of the queue. Therefore a backlog of one workspace does not delay other workspaces. Tags start again from the
 * beginning when no run is open.
 */
export async function admitRuns(em: Em, queue: QueueName, workspace: string): Promise<Admitted[]> {
  const { rows } = await sql<AdmittedRow>`
    select * from admit_runs(${queue}, ${workspace}, ${limits}::jsonb)
  `.execute(em.getKysely());
  return rows.map((row) => ({
    uid: row.run_uid,
    workspace: row.workspace_uid,
    environment: row.environment,
    kind: row.kind,
    queue,
    tag: row.tag,
  }));
}
