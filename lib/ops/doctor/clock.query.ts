import type { Client } from 'pg';
import { systemClock } from '#lib/core/clock.ts';
import { askRedis } from '#lib/pipeline/redis-facts.ts';

/**
 * Returns how far each server's clock is ahead of this machine's, in milliseconds. An unreachable Redis is left out.
 */
export async function gatherClocks(
  client: Client,
  redisUrl: string | undefined,
): Promise<Record<string, number>> {
  const database = await ahead(async () => {
    const { rows } = await client.query<{ now: number }>(
      'select (extract(epoch from clock_timestamp()) * 1000)::float8 as now',
    );
    return rows[0]!.now;
  });
  const redis = redisUrl
    ? await ahead(async () => (await askRedis(redisUrl)).now).catch(() => undefined)
    : undefined;
  return { PostgreSQL: database, ...(redis === undefined ? {} : { Redis: redis }) };
}

/**
 * Returns how far a server's clock is ahead, in milliseconds: its time minus this machine's time in the middle of the
 * round trip.
 */
async function ahead(ask: () => Promise<number>): Promise<number> {
  const before = systemClock.now().getTime();
  const theirs = await ask();
  return theirs - (before + systemClock.now().getTime()) / 2;
}
