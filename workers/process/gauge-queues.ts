import { sql } from 'kysely';
import type { Log } from '#lib/core/log.ts';
import type { QueueName } from '#lib/core/run.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import type { Metrics } from '#lib/ops/metrics.ts';
import { addQueueMetrics, type QueueFigures } from '#lib/ops/queue-metrics.ts';
import type { TicketQueue } from '#lib/pipeline/queue.ts';

type Backlog = { queue: string; oldest: number; waiting: number };

/**
 * Registers the queue gauges in the scheduler, because only the scheduler sees the open runs of all
 * workspaces.
 */
export function gaugeQueues(
  metrics: Metrics,
  orm: Orm,
  queues: Record<QueueName, TicketQueue>,
  log: Log,
): void {
  let last: readonly QueueFigures[] = [];
  addQueueMetrics(metrics, async () => {
    try {
      last = await figuresOf(orm, queues);
    } catch (error) {
      log.warn({ err: error }, 'the queues could not be read; the gauges keep their last values');
    }
    return last;
  });
}

async function figuresOf(orm: Orm, queues: Record<QueueName, TicketQueue>): Promise<QueueFigures[]> {
  const backlogs = await inPlatform(orm, async (em) => {
    const { rows } = await sql<Backlog>`
      select queue, coalesce(extract(epoch from now() - min(created_at)), 0)::float8 as oldest,
        count(*) filter (where tag is null)::int as waiting
      from dispatch where started_at is null group by queue
    `.execute(em.getKysely());
    return new Map(rows.map((row) => [row.queue, row]));
  });
  return Promise.all(
    Object.entries(queues).map(async ([name, queue]) => ({
      queue: name,
      jobs: await queue.getJobCounts(),
      oldestSeconds: backlogs.get(name)?.oldest ?? 0,
      waiting: backlogs.get(name)?.waiting ?? 0,
    })),
  );
}
