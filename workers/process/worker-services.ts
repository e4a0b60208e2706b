import type { Ajv2020 } from 'ajv/dist/2020.js';
import type { Clock } from '#lib/core/clock.ts';
import type { QueueName } from '#lib/core/run.ts';
import type { Log } from '#lib/core/log.ts';
import type { Orm } from '#lib/database/base.ts';
import type { Metrics } from '#lib/ops/metrics.ts';
import type { UsageTally } from '#lib/ops/usage-tally.ts';
import type { Notices } from '#lib/pipeline/notices.ts';
import type { TicketQueue } from '#lib/pipeline/queue.ts';
import type { Runners } from './runner.ts';
import type { Threads } from './threads.ts';

/** The services of a worker. */
export type WorkerServices = {
  /** The kinds of work that this worker can run. */
  runners: Runners;
  orm: Orm;
  queues: Readonly<Partial<Record<QueueName, TicketQueue>>>;
  threads: Threads;
  cancellations: Notices;
  ajv: Ajv2020;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  /** Counts processor time. If left out, it is not counted. */
  usage?: UsageTally;
};
