import { createAjv } from '#lib/core/ajv.ts';
import { systemClock } from '#lib/core/clock.ts';
import { readConfig } from '#lib/core/config.ts';
import { createLog, endOnCrash } from '#lib/core/log.ts';
import { databaseUrl, directUrl } from '#lib/database/locate.ts';
import { openOrm, poolUse } from '#lib/database/orm.ts';
import { createMetrics } from '#lib/ops/metrics.ts';
import { openUsageTally } from '#lib/ops/usage-tally.ts';
import { Notices } from '#lib/pipeline/notices.ts';
import type { Ticket } from '#lib/pipeline/queue.ts';
import { createProcessor } from './process.ts';
import { runners } from '../runners.ts';
import { openThreads } from './threads.ts';

/** A run with a stored record, and its kind. */
export type NamedRun = Ticket & { kind: string };

/**
 * Entry point of a process that executes single runs even if no worker is running. The process executes the
 * runs that its parent names, one after the other, in the same way as a worker. It sends the uid of a run to
 * the parent when the run has ended. It exits when the parent disconnects. If a worker takes the same run,
 * the run is still sealed only once.
 */
const config = readConfig();
const url = await databaseUrl(config, 'worker');
const log = createLog('run-here', 'error', process.stderr);
endOnCrash(log);
const orm = openOrm(url, 3);
const threads = openThreads(1);
const usage = openUsageTally(orm, log, () => systemClock.now().getTime());
const cancellations = new Notices(await directUrl(config, 'worker'), 'cancelled', log);
await cancellations.open();
const processRun = createProcessor({
  runners,
  orm,
  queues: {},
  threads,
  cancellations,
  ajv: createAjv(),
  clock: systemClock,
  log,
  metrics: createMetrics(() => poolUse(orm)),
  usage,
});

let turn: Promise<unknown> = Promise.resolve();
process.on('message', ({ kind, ...data }: NamedRun) => {
  const delivery = { name: kind, data, attemptsMade: 0 } as Parameters<typeof processRun>[0];
  turn = turn
    .then(() => processRun(delivery))
    .catch((error: unknown) =>
      log.error({ err: error, run: data.uid }, 'the attempt at the run failed unexpectedly'),
    )
    .finally(() => process.send?.(data.uid));
});
process.once('disconnect', () => {
  void turn.finally(async () => {
    await threads.close();
    await usage.close();
    await cancellations.close();
    await orm.close();
  });
});
process.send?.('ready');
