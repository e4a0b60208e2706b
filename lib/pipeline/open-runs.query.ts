import { sql } from 'kysely';
import type { QueueName } from '#lib/core/run.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { RunStateRow } from './run-states.query.ts';
import type { RunState } from './run.ts';

/** A run that has not ended, with its position in the queue and its submitter. */
export type OpenRunRow = {
  uid: string;
  kind: string;
  queue: QueueName;
  state: RunState;
  progress: number;
  attempts: number;
  createdAt: string;
  /** When the run was given to the queue; null while it waits for admission. */
  admittedAt: string | null;
  startedAt: string | null;
  application: string;
  /** The person who submitted the run in the console; null if an application submitted it. */
  person: string | null;
};

/** The number of open runs of one kind in one queue. `oldest` is the submission of the oldest of these runs. */
export type OpenRunCount = {
  queue: QueueName;
  kind: string;
  running: number;
  queued: number;
  /** The queued runs that wait for admission to the queue. */
  unadmitted: number;
  oldest: string;
};

/** The open runs of the current tenant, oldest first. Every open run has a dispatch record. */
const openRuns = (em: Em) => {
  const { workspace, environment } = tenantOf(em);
  return sql`
    dispatch d join run r on r.uid = d.run_uid and r.state in ('queued', 'running')
    where d.workspace_uid = ${workspace} and d.environment = ${environment}
      and r.workspace_uid = ${workspace} and r.environment = ${environment}
  `;
};

/** Returns the oldest open runs of the current tenant, at most `limit`. */
export async function listOpenRuns(em: Em, limit: number): Promise<OpenRunRow[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<OpenRunRow>`
    with open as (
      select r.uid, r.kind, d.queue, r.state, r.progress::float8 as progress, r.attempts, r.application_uid,
        r.created_at, d.admitted_at, r.started_at
      from ${openRuns(em)} order by right(r.uid, 26) limit ${limit}
    )
    select open.uid, open.kind, open.queue, open.state, open.progress, open.attempts, a.name as application,
      ${instant('open.created_at')} as "createdAt", ${instant('open.admitted_at')} as "admittedAt",
      ${instant('open.started_at')} as "startedAt",
      case when a.built_in then (
        select p.name from audit_entry e join person p on p.uid = e.body::json -> 'actor' ->> 'uid'
        where e.workspace_uid = ${workspace} and e.environment = ${environment} and e.subject_uid = open.uid
          and e.op = 'run.submitted' limit 1
      ) end as person
    from open join application a on a.uid = open.application_uid
    order by right(open.uid, 26)
  `.execute(em.getKysely());
  return rows;
}

/** Counts the open runs of the current tenant by queue and kind. */
export async function countOpenRuns(em: Em): Promise<OpenRunCount[]> {
  const { rows } = await sql<OpenRunCount>`
    select d.queue, d.kind, count(*) filter (where r.state = 'running')::int as running,
      count(*) filter (where r.state = 'queued')::int as queued,
      count(*) filter (where r.state = 'queued' and d.admitted_at is null)::int as unadmitted,
      ${instant('min(r.created_at)')} as oldest
    from ${openRuns(em)} group by d.queue, d.kind order by d.queue, d.kind
  `.execute(em.getKysely());
  return rows;
}

/** Returns the states of the oldest open runs of the current tenant, at most `limit`. */
export async function statesOfOpenRuns(em: Em, limit: number): Promise<RunStateRow[]> {
  const { rows } = await sql<RunStateRow>`
    select r.uid, r.state, r.progress::float8 as progress from ${openRuns(em)}
    order by right(r.uid, 26) limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/** Returns the SQL that writes an instant as ISO 8601 in UTC. */
function instant(column: string) {
  return sql.raw(`to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`);
}
