import type { Middleware } from 'koa';
import { systemClock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import type { Log } from '#lib/core/log.ts';
import { serviceClassLimits, type Orm } from '#lib/database/base.ts';
import { askDirectly } from '#lib/database/orm.ts';
import { createDrawnRates, createPostgresDrawnRates } from '#lib/limits/drawn-rates.ts';
import { createLocalRates } from '#lib/limits/local-rates.ts';
import { quotasOf } from '#lib/limits/policy.ts';
import { createPostgresRates } from '#lib/limits/postgres-rates.ts';
import { createRedisRates } from '#lib/limits/redis-rates.ts';
import { createSharedRates, REDUCED_SHARE } from '#lib/limits/shared-rates.ts';
import type { Metrics } from '#lib/ops/metrics.ts';
import { openUsageTally } from '#lib/ops/usage-tally.ts';
import { createUseNotes } from './credential-use.ts';
import { createAccess, type Access } from '../http/access.ts';
import { oauthAccess } from '../oauth.ts';
import { tenantOf } from '../tenant.ts';

export type OpenAccess = {
  ofOperations: Access;
  ofClients: Middleware;
  close(): Promise<void>;
};

export type AccessParts = {
  config: { REDIS_URL?: string | undefined } & Pick<Config, 'RATE_LIMIT_FACTOR' | 'ACCESS_TOKEN_S'>;
  orm: Orm;
  log: Log;
  metrics: Pick<Metrics, 'rateCountsAway'>;
};

/**
 * Opens the check of credentials and quotas. Requests are counted in Redis if it is configured, otherwise in
 * PostgreSQL.
 */
export function openAccess({ config, orm, log, metrics }: AccessParts): OpenAccess {
  const redis =
    config.REDIS_URL === undefined
      ? undefined
      : createRedisRates(config.REDIS_URL, (error) =>
          log.warn({ err: error }, 'the Redis connection for the rate limits failed'),
        );
  const note = createUseNotes(orm, log);
  const usage = openUsageTally(orm, log, () => systemClock.now().getTime());
  const quotas = quotasOf(serviceClassLimits, config.RATE_LIMIT_FACTOR);
  const now = () => performance.now() / 1_000;
  const local = createLocalRates(REDUCED_SHARE, now);
  const rates = redis
    ? createSharedRates({
        common: createDrawnRates({ draw: redis.draw, now }),
        local,
        now,
        onAway: () => metrics.rateCountsAway.inc(),
      })
    : createPostgresDrawnRates({ ask: (text, values) => askDirectly(orm, text, values), now });
  return {
    ofOperations: createAccess({
      ask: (text, values, signal) => askDirectly(orm, text, values, signal),
      quotas,
      rates,
      onUse: (caller, ctx) => {
        usage.add(tenantOf(caller), 'api.requests', 1);
        note(caller, { credential: caller.credential, address: ctx.ip, userAgent: ctx.get('user-agent') });
      },
    }),
    ofClients: oauthAccess({
      orm,
      clock: systemClock,
      rates: redis ?? createPostgresRates(orm),
      rateFactor: config.RATE_LIMIT_FACTOR,
      tokenLifetimeS: config.ACCESS_TOKEN_S,
    }),
    async close() {
      redis?.close();
      await usage.close();
    },
  };
}
