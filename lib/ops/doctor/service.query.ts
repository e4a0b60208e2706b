import type { Client } from 'pg';
import type { QueueName } from '#lib/core/run.ts';
import { isRunKey, runs } from '#lib/runs.ts';
import { isAlive } from '#lib/pipeline/queue.ts';
import { answered, type Queues } from '#lib/pipeline/queues.ts';
import type { ServiceFacts } from './service.ts';

/** The age up to which a run without a queue job is not reported, because it may still be dispatched. */
const SETTLED = '10 seconds';
const RUNS_MAX = 100;

type OpenRun = { uid: string; kind: string; queue: QueueName; admitted: boolean; computes: number | null };

export async function gatherService(
  client: Client,
  queues: Queues,
  { isPooled }: { isPooled: boolean },
): Promise<ServiceFacts> {
  const runs = await openRuns(client);
  const lost: string[] = [];
  for (const { uid, queue: name, admitted } of runs) {
    const queue = (queues as Partial<Queues>)[name];
    if (admitted && queue && !isAlive(await answered(queue.getJobState(uid)))) lost.push(uid);
  }
  const { rows } = await client.query<{ oldest: number }>(
    `select coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest
     from dispatch where started_at is null`,
  );
  return {
    connected: isPooled ? null : await connectedParts(client),
    oldestWaitSeconds: rows[0]!.oldest,
    overdue: runs.filter(isOverdue).map(({ uid }) => uid),
    lost,
  };
}

async function openRuns(client: Client): Promise<OpenRun[]> {
  const { rows } = await client.query<OpenRun>(
    `select run_uid as uid, kind, queue, tag is not null as admitted,
       extract(epoch from now() - started_at)::float8 as computes
     from dispatch where created_at < now() - $1::interval order by created_at limit $2`,
    [SETTLED, RUNS_MAX],
  );
  return rows;
}

function isOverdue({ kind, computes }: OpenRun): boolean {
  return isRunKey(kind) && computes !== null && computes * 1_000 > runs[kind].timeoutMs;
}

/**
 * Counts connections to the database by kind of process. Each process states its kind in the name of its connections.
 */
async function connectedParts(client: Client): Promise<Record<string, number>> {
  const { rows } = await client.query<{ part: string; processes: number }>(
    `select split_part(application_name, ' ', 2) as part, count(distinct split_part(application_name, ' ', 3))::int as processes
     from pg_stat_activity
     where datname = current_database() and application_name like 'assay % %' group by 1`,
  );
  return Object.fromEntries(rows.map(({ part, processes }) => [part, processes]));
}
