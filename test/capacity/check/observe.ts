import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import type { BackendName } from '../../support/backends.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import type { Cluster } from '../../support/cluster.ts';
import { startAssay } from '../../bench/peers/assay-stack.ts';
import type { Arrival, Passed } from '../simulation/simulate.ts';

/** A run as the database has it, with times in milliseconds since the first one was recorded. */
export type Observed = Required<Omit<Passed, 'computeMs' | 'isRefused'>>;

export type Service = {
  /** Submits runs at their times, waits until all have ended, and returns them in the order in which they were recorded. */
  observe(arrivals: readonly Omit<Arrival, 'computeMs'>[]): Promise<Observed[]>;
  stop(): Promise<void>;
};

const POLL_MS = 100;

/** Starts Assay with one worker and this many workspaces, whose runs wait for `COMPUTE_MS` instead of computing. */
export async function startService(
  cluster: Cluster,
  { queue, places, workspaces }: { queue: BackendName; places: number; workspaces: number },
): Promise<Service> {
  const stack = await startAssay(cluster, 'capacity_check', queue, {
    concurrency: places,
    thread: '../../capacity/check/thread.ts',
  });
  const operator = openOrm(roleUrl(stack.ownerUrl, 'operator'), 2);
  const tenancies: Tenancy[] = [];
  for (let at = 0; at < workspaces; at += 1) tenancies.push(await buildTenancy({ orm: () => operator }));
  await operator.close();
  const client = new Client({ connectionString: cluster.superuserUrl(stack.database) });
  await client.connect();

  async function submit(workspace: number): Promise<void> {
    const { key } = tenancies[workspace]!;
    const headers = { authorization: `Bearer ${key}`, prefer: 'respond-async' };
    const { status } = await fetch(stack.job.url, { method: 'POST', headers });
    if (status !== 202 && status !== 201) throw new Error(`a run was not accepted: ${status}`);
  }

  async function endedSince(moment: Date, count: number): Promise<Observed[]> {
    for (;;) {
      const { rows } = await client.query<{ workspace: string; recorded: Date; started: Date; ended: Date }>(
        `select workspace_uid as workspace, created_at as recorded, started_at as started, finished_at as ended
         from run where created_at >= $1 and finished_at is not null order by created_at, uid`,
        [moment],
      );
      if (rows.length >= count) {
        const first = rows[0]!.recorded.getTime();
        return rows.map(({ workspace, recorded, started, ended }) => ({
          workspace: tenancies.findIndex((tenancy) => tenancy.workspace === workspace),
          atMs: recorded.getTime() - first,
          recordedMs: recorded.getTime() - first,
          startedMs: started.getTime() - first,
          endedMs: ended.getTime() - first,
        }));
      }
      await delay(POLL_MS);
    }
  }

  return {
    async observe(arrivals) {
      const moment = new Date();
      const started = performance.now();
      const sent: Promise<void>[] = [];
      for (const { atMs, workspace } of arrivals) {
        await delay(Math.max(0, atMs - (performance.now() - started)));
        sent.push(submit(workspace));
      }
      await Promise.all(sent);
      return endedSince(moment, arrivals.length);
    },
    async stop() {
      await client.end();
      await stack.stop();
    },
  };
}
