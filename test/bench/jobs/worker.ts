import { readConfig } from '#lib/core/config.ts';
import { createLog } from '#lib/core/log.ts';
import { onShutdown } from '#lib/core/shutdown.ts';
import { startInnerWorker } from '../../support/worker.ts';
import { noOpRunners } from './no-op.ts';

/**
 * Runs the product's worker with the no-op job instead of its own jobs. `DATABASE_URL` is the URL of the database
 * owner. An argument can name another entry file for the worker's threads.
 */
const config = readConfig();
const log = createLog('bench-worker', config.LOG_LEVEL);
const stop = await startInnerWorker({
  ownerUrl: config.DATABASE_URL!,
  redisUrl: config.REDIS_URL,
  runners: noOpRunners,
  thread: new URL(process.argv[2] ?? './thread.ts', import.meta.url),
  concurrency: config.NUMERICS_CONCURRENCY,
  lockMs: config.LOCK_MS,
  log,
});
process.send?.('ready');
onShutdown(log, config.DRAIN_MS, stop);
