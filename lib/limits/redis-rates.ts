import type { Cluster, Redis } from 'ioredis';
import { openRedis } from '#lib/core/redis.ts';
import type { DrawnRatesParts } from './drawn-rates.ts';
import { stateOf } from './gcra.ts';
import { WINDOW_S, type Rate, type Rates } from './policy.ts';

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

/**
 * The Redis script that draws several requests at once from each quota. A quota without room for all of them gives one,
 * or none. The arguments are the keys, then the window in milliseconds, then for each key its quota and the number of
 * wanted requests. The result is a list of two numbers for each key: how many requests were drawn, and the milliseconds
 * until the quota is full again.
 */
const DRAW = `
local time = redis.call('TIME')
local now = time[1] * 1000 + time[2] / 1000
local window = tonumber(ARGV[1])
local answer = {}
for i, key in ipairs(KEYS) do
  local step, wanted = window / ARGV[2 * i], tonumber(ARGV[2 * i + 1])
  local full = math.max(tonumber(redis.call('GET', key) or now), now)
  local room = window - (full - now)
  local drawn = step * wanted <= room and wanted or step <= room and 1 or 0
  if drawn > 0 then
    full = full + step * drawn
    redis.call('SET', key, string.format('%.3f', full), 'PX', math.ceil(full - now) + 1)
  end
  answer[2 * i - 1] = drawn
  answer[2 * i] = string.format('%.3f', full - now)
end
return answer`;

type Script = (keys: number, ...keysAndNumbers: (string | number)[]) => Promise<(number | string)[]>;
type CountingRedis = (Redis | Cluster) & { takeRates: Script; drawRates: Script };

export type RedisRates = Rates & Pick<DrawnRatesParts, 'draw'> & { close(): void };

/**
 * Creates a counter that all processes share, and of which a process can draw several requests at once. The counter is
 * stored in Redis. The slot is used as a hash tag, so a cluster spreads the slots over its nodes.
 */
export function createRedisRates(url: string, onError: (error: Error) => void): RedisRates {
  const redis = openRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: COMMAND_MS,
    scripts: { takeRates: { lua: TAKE }, drawRates: { lua: DRAW } },
  }) as CountingRedis;
  redis.on('error', onError);
  const keysOf = (slot: string, rates: readonly Rate[]) =>
    rates.map(({ key }) => `{assay:rates:${slot}}:${key}`);
  return {
    async take(slot, rates) {
      const keys = keysOf(slot, rates);
      const quotas = rates.map(({ quota }) => quota);
      const [allowed, ...fullIn] = await redis.takeRates(keys.length, ...keys, WINDOW_S * 1_000, ...quotas);
      return {
        allowed: allowed === 1,
        states: rates.map((rate, at) => stateOf(rate, Number(fullIn[at]) / 1_000)),
      };
    },
    async draw(slot, rates) {
      const keys = keysOf(slot, rates);
      const numbers = rates.flatMap(({ quota, wanted }) => [quota, wanted]);
      const drawn = await redis.drawRates(keys.length, ...keys, WINDOW_S * 1_000, ...numbers);
      return rates.map((_rate, at) => ({
        count: Number(drawn[2 * at]),
        fullInS: Number(drawn[2 * at + 1]) / 1_000,
      }));
    },
    close: () => redis.disconnect(),
  };
}
