import { fault, ok, warning, type Finding } from './finding.ts';

const REDIS_MIN = [6, 2] as const;

export type QueueFacts =
  | { on: 'postgres'; tables: number }
  | {
      on: 'redis';
      /** The version of the server, such as `7.0.15`. */
      version: string;
      /** The eviction policy; undefined if the server does not report it. */
      evictionPolicy: string | undefined;
      persistence: boolean;
    };

/** Returns the findings about the queue. If the queue does not answer, the only finding is the reason. */
export function judgeQueue(facts: QueueFacts | { error: string }): Finding[] {
  if ('error' in facts)
    return [fault('queue', facts.error, 'start Redis, and check REDIS_URL; runs wait in their records')];
  if (facts.on === 'postgres') {
    return facts.tables > 0
      ? [ok('queue', `on PostgreSQL, ${facts.tables} tables`)]
      : [fault('queue', 'its schema is missing', 'run `npm run assay -- migrate` with the URL of the owner')];
  }
  return [
    judgeRedisVersion(facts.version),
    judgeEviction(facts.evictionPolicy),
    facts.persistence
      ? ok('queue persistence', 'on')
      : warning(
          'queue persistence',
          'off: a restart of Redis loses the queue, and the scheduler fills it again',
          'set `appendonly yes` in redis.conf',
        ),
  ];
}

function judgeRedisVersion(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const isNew = major > REDIS_MIN[0] || (major === REDIS_MIN[0] && minor >= REDIS_MIN[1]);
  return isNew
    ? ok('queue', `on Redis ${version}`)
    : fault('queue', `Redis ${version}`, `upgrade to Redis ${REDIS_MIN.join('.')} or newer`);
}

function judgeEviction(policy: string | undefined): Finding {
  const remedy = 'set `maxmemory-policy noeviction` in redis.conf';
  if (policy === undefined)
    return warning('queue eviction', 'Redis does not report its maxmemory-policy', remedy);
  return policy === 'noeviction'
    ? ok('queue eviction', policy)
    : fault('queue eviction', `${policy}: Redis may drop queue jobs when its memory is full`, remedy);
}
