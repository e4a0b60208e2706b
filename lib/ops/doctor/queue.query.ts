import { askRedis } from '#lib/pipeline/redis-facts.ts';
import type { Client } from 'pg';
import { QUEUE_SCHEMA } from '#lib/database/base.ts';
import type { QueueFacts } from './queue.ts';

export async function gatherQueue(client: Client, redisUrl: string | undefined): Promise<QueueFacts> {
  if (redisUrl) return { on: 'redis', ...(await askRedis(redisUrl)) };
  const { rows } = await client.query<{ tables: number }>(
    'select count(*)::int as tables from pg_tables where schemaname = $1',
    [QUEUE_SCHEMA],
  );
  return { on: 'postgres', tables: rows[0]!.tables };
}
