import { Redis } from 'ioredis';

export type RedisFacts = {
  version: string;
  /** The eviction policy; undefined if the server does not allow this query. */
  evictionPolicy: string | undefined;
  persistence: boolean;
  /** The time of the server's clock, in milliseconds since 1970. */
  now: number;
};

const ANSWER_MS = 3_000;

/** Reads the configuration of a Redis, or of the first node of a cluster. Throws if the server does not answer. */
export async function askRedis(url: string): Promise<RedisFacts> {
  const client = new Redis(url.split(',')[0]!, {
    lazyConnect: true,
    retryStrategy: () => null,
    connectTimeout: ANSWER_MS,
    commandTimeout: ANSWER_MS,
    maxRetriesPerRequest: 0,
  });
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
