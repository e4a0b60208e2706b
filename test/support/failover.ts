import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'chai';
import type { Redis } from 'ioredis';
import type { ServiceClass } from '#lib/database/base.ts';
import type { Backend } from './backends.ts';
import { expectSealedOnce } from './fault-table.ts';
import { buildTenancy, type Tenancy } from './build.ts';
import { clientOf } from './client.ts';
import { importTiny } from './import.ts';
import { underLoad } from './load.ts';
import { watchQuota } from './quota-watch.ts';
import { eventually } from './runs.ts';
import { watchedClient } from './watched-client.ts';

/** A master and the replica that is promoted in its place, each as a client. */
export type Pair = {
  master: Redis;
  replica: Redis;
  /** Whether the master holds this key. */
  holds(key: string): Promise<boolean>;
  /** Ends or freezes the master. */
  fail(): unknown;
};

/** How long the master takes writes that its replica does not receive, in milliseconds. */
const UNREPLICATED_MS = 1_000;
/** The number of runs that are accepted before a fault and after it. */
const RUNS = 10;
const WORKER = 'worker-numerics-1';

/**
 * Lets the master fail under load, after it has taken writes for a second that its replica lacks. Checks that the
 * replica becomes the master, that each run is sealed once, that callers get no 5xx but 503 with `Retry-After`, and
 * that the quotas are halved only until the new master is reached.
 */
export async function expectFailoverWithLoss(live: Backend, fault: string, pair: Pair): Promise<void> {
  const tenancy = await tenancyOn(live, pair, 'enterprise');
  // The API draws so few requests from the quota of this workspace at once that it soon notices the fault.
  const watched = await tenancyOn(live, pair, 'developer');
  await importTiny(live, tenancy.workspace);
  const submitting = watchedClient(clientOf(live, tenancy.key));
  const reading = watchedClient(clientOf(live, watched.key));
  const load = underLoad(submitting);
  const quotas = watchQuota(reading);
  const restarts = live.notices.length;
  try {
    await accepted(load);
    const lost = await failWithLoss(live, load, pair);
    const failedAt = performance.now();
    await eventually(async () => (await pair.replica.info('replication')).includes('role:master'));
    const promotedMs = Math.round(performance.now() - failedAt);
    await eventually(async () => isBackAfterHalf(quotas.seen()));
    await accepted(load);
    const submitted = await load.stop();
    await quotas.stop();
    const later = submitting.expectOnlyRetryable() + reading.expectOnlyRetryable();
    await expectSealedOnce(
      live,
      fault,
      tenancy.workspace,
      submitted,
      `${lost} jobs lost, promoted after ${promotedMs} ms, ${later} answers 503`,
    );
    expect(live.notices.slice(restarts), 'restarts of processes').to.deep.equal([]);
  } finally {
    await Promise.all([load.stop(), quotas.stop()]);
  }
}

/** Creates a workspace whose quotas are counted on the master. */
async function tenancyOn(live: Backend, { holds }: Pair, serviceClass: ServiceClass): Promise<Tenancy> {
  for (;;) {
    const tenancy = await buildTenancy(live, { serviceClass });
    if (await holds(`{assay:rates:${tenancy.workspace}}:`)) return tenancy;
  }
}

/**
 * Cuts the replica off, lets the master take writes for a second, and lets it fail. Returns how many queue jobs the
 * replica lacks. The worker is frozen meanwhile, so that jobs wait.
 */
async function failWithLoss(
  live: Backend,
  load: { count(): number },
  { master, replica, fail }: Pair,
): Promise<number> {
  await replica.config('SET', 'masterauth', 'a-wrong-password');
  await master.call('CLIENT', 'KILL', 'TYPE', 'replica');
  await eventually(async () => (await replica.info('replication')).includes('master_link_status:down'));
  await accepted(load);
  const worker = live.pid(WORKER)!;
  process.kill(worker, 'SIGSTOP');
  try {
    await delay(UNREPLICATED_MS);
    const lost = await eventually(async () => {
      const kept = new Set(await jobsOf(replica));
      return (await jobsOf(master)).filter((job) => !kept.has(job)).length;
    }, 'jobs that the replica lacks');
    await fail();
    return lost;
  } finally {
    process.kill(worker, 'SIGCONT');
  }
}

/** Waits until the load has got some more runs accepted. */
async function accepted(load: { count(): number }): Promise<void> {
  const before = load.count();
  await eventually(async () => load.count() >= before + RUNS);
}

/** Returns the keys of the queue jobs of factor runs, which the load submits. */
async function jobsOf(server: Redis): Promise<string[]> {
  return server.keys('{assay}:numerics:tfr_*');
}

/** Whether the quota was full, then half, and is full again. */
function isBackAfterHalf(quotas: readonly number[]): boolean {
  const [full] = quotas;
  return quotas.includes(full! / 2) && quotas.at(-1) === full;
}
