import { sql } from 'kysely';
import type { QueueName } from '#lib/core/run.ts';
import type { TraceCarrier } from '#lib/core/tracing.ts';
import {
  serviceClassLimits,
  type Environment,
  type Em,
  type StatementEm,
  type Tenant,
} from '#lib/database/base.ts';

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

/** The runs that a service class may run at the same time, for the functions that admit runs. */
export const admissionLimits = JSON.stringify(
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
    select * from admit_runs(${queue}, ${workspace}, ${admissionLimits}::jsonb)
  `.execute(em.getKysely());
  return rows.map((row) => admittedOf(row, queue));
}

/**
 * Admits waiting runs like `admitRuns`, after the transaction that freed room or submitted a run was committed. Also
 * announces the given end of a run. The statement must be a transaction of its own, because it locks the admission of the
 * workspace, and an announcement locks those of the whole server, until its transaction ends. If the transaction is lost,
 * the scheduler admits the runs, and callers that wait find the end of the run.
 */
export async function admitWaiting(
  em: StatementEm,
  { queue, workspace }: Lane,
  ended?: { uid: string; channels: readonly string[] },
): Promise<Admitted[]> {
  const { rows } = await sql<Partial<AdmittedRow>>`
    with notified as materialized (
      select pg_notify(name, ${ended?.uid ?? null}) from unnest(${[...(ended?.channels ?? [])]}::text[]) name
    )
    select a.* from (select count(*) from notified) sent
      left join admit_waiting_runs(${queue}, ${workspace}, ${admissionLimits}::jsonb) a on true
  `.execute(em.getKysely());
  return rows
    .filter((row): row is AdmittedRow => typeof row.run_uid === 'string')
    .map((row) => admittedOf(row, queue));
}

/** The runs of a workspace in a queue. */
export type Lane = { queue: QueueName; workspace: string };

function admittedOf(row: AdmittedRow, queue: QueueName): Admitted {
  return {
    uid: row.run_uid,
    workspace: row.workspace_uid,
    environment: row.environment,
    kind: row.kind,
    queue,
    tag: row.tag,
  };
}
