import type { Cluster, Redis } from 'ioredis';
import { openRedis } from '#lib/core/redis.ts';
import { stateOf } from './gcra.ts';
import { WINDOW_S, type Rates } from './policy.ts';

/** Time limit in milliseconds of one command to Redis. After this time, the request is counted locally. */
const COMMAND_MS = 500;

/**
 * The Redis script that runs the algorithm of `drawRates` atomically. It uses the clock of the Redis server. The
 * arguments are the keys, then the window in milliseconds and one quota for each key. The result is a list: 1 if the
 * request is allowed and 0 if not, followed by one number for each quota, the milliseconds until the quota is full
 * again.
 */
const TAKE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local window = tonumber(ARGV[1])
local full, allowed = {}, 1
for i, key in ipairs(KEYS) do
  full[i] = math.max(tonumber(redis.call('GET', key) or now), now)
  if full[i] + window / ARGV[i + 1] - now > window then allowed = 0 end
end
local answer = { allowed }
for i, key in ipairs(KEYS) do
  if allowed == 1 then
    full[i] = full[i] + window / ARGV[i + 1]
    redis.call('SET', key, string.format('%.3f', full[i]), 'PX', math.ceil(full[i] - now) + 1)
  end
  answer[i + 1] = string.format('%.3f', full[i] - now)
end
return answer`;

type TakingRedis = (Redis | Cluster) & {
  takeRates(keys: number, ...keysAndQuotas: (string | number)[]): Promise<(number | string)[]>;
};

export type RedisRates = Rates & { close(): void };

/**
 * Creates a counter that all processes share. The counter is stored in Redis. The slot is used as a hash tag, so a
 * cluster spreads the slots over its nodes.
 */
export function createRedisRates(url: string, onError: (error: Error) => void): RedisRates {
  const redis = openRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_MS,
    scripts: { takeRates: { lua: TAKE } },
  }) as TakingRedis;
  redis.on('error', onError);
  return {
    async take(slot, rates) {
      const keys = rates.map(({ key }) => `{assay:rates:${slot}}:${key}`);
      const quotas = rates.map(({ quota }) => quota);
      const [allowed, ...fullIn] = await redis.takeRates(keys.length, ...keys, WINDOW_S * 1_000, ...quotas);
      return {
        allowed: allowed === 1,
        states: rates.map((rate, at) => stateOf(rate, Number(fullIn[at]) / 1_000)),
      };
    },
    close: () => redis.disconnect(),
  };
}
