import type { Redis } from 'ioredis';
import { openServers } from '#lib/core/redis.ts';

export type RedisFacts = {
  version: string;
  /** The eviction policy; undefined if the server does not allow this query. */
  evictionPolicy: string | undefined;
  persistence: boolean;
  /** The time of the server's clock, in milliseconds since 1970. */
  now: number;
};

const ANSWER_MS = 3_000;

/**
 * Reads the configuration of a Redis: of the server, of the master that the Sentinels report, or of the first node of a
 * cluster that answers. Throws if no server answers.
 */
export async function askRedis(url: string): Promise<RedisFacts> {
  const clients = openServers(url, {
    lazyConnect: true,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    maxRetriesPerRequest: 0,
  });
  let fault: unknown;
  for (const client of clients) {
    try {
      return await factsOf(client);
    } catch (error) {
      fault = error;
    }
  }
  throw fault;
}

async function factsOf(client: Redis): Promise<RedisFacts> {
  client.on('error', () => {});
  try {
    await client.connect();
    const [seconds, micros] = await client.time();
    const info = `${await client.info('server')}\n${await client.info('persistence')}`;
    const policy = await configOf(client, 'maxmemory-policy');
    const save = await configOf(client, 'save');
    return {
      version: memberOf(info, 'redis_version') ?? 'unknown',
      evictionPolicy: policy,
      persistence: memberOf(info, 'aof_enabled') === '1' || Boolean(save),
      now: Number(seconds) * 1_000 + Number(micros) / 1_000,
    };
  } finally {
    client.disconnect();
  }
}

async function configOf(client: Redis, name: string): Promise<string | undefined> {
  try {
    const answer: unknown = await client.config('GET', name);
    const pairs = Array.isArray(answer) ? answer : Object.entries(answer as object).flat();
    return pairs[1] === undefined ? undefined : String(pairs[1]);
  } catch {
    return undefined;
  }
}

function memberOf(info: string, name: string): string | undefined {
  return new RegExp(`^${name}:(.*?)\r?$`, 'm').exec(info)?.[1];
}
