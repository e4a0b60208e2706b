import { randomUUID } from 'node:crypto';
import type { Log } from '#lib/core/log.ts';
import type { Orm, Tenant } from '#lib/database/base.ts';
import { askDirectly } from '#lib/database/orm.ts';

/** The meters that processes count in memory, each with the number of its counted units in one unit of the meter. */
const counted = {
  /** Requests of identified callers within their quotas. */
  'api.requests': { scale: 1, decimals: 0 },
  /** Microseconds of processor time of the threads that compute. The unit of the meter is the second. */
  'compute.cpu_seconds': { scale: 1_000_000, decimals: 6 },
} as const;

export type CountedMeter = keyof typeof counted;

/** The total of one meter of one tenant in one hour (UTC), since the process started. */
export type UsageTotal = Tenant & { meter: CountedMeter; hour: string; value: string };

export type UsageTally = {
  /** Adds to the total of the current hour. Takes well below a microsecond and never waits. */
  add(tenant: Tenant, meter: CountedMeter, amount: number): void;
  /** Writes the totals that have changed. Totals that could not be written are written the next time. */
  flush(): Promise<void>;
  /** Writes the totals for the last time. */
  close(): Promise<void>;
};

/**
 * Milliseconds between two writes. A process that is killed loses what it counted since its last write, so this is the
 * bound of the loss.
 */
const FLUSH_MS = 5_000;
/** The largest number of totals in memory. While the database is unreachable, further totals are not counted. */
const TOTALS_MAX = 100_000;
const HOUR_MS = 3_600_000;

type Total = UsageTotal & { amount: number; isWritten: boolean };

export type UsageTallyParts = {
  /** Writes totals. A total replaces an earlier, smaller total of the same process. */
  write(totals: readonly UsageTotal[]): Promise<unknown>;
  log: Pick<Log, 'warn'>;
  now(): number;
};

/**
 * Creates a tally that counts in memory, without a query for each count. Totals are cumulative, so writing one twice
 * counts nothing twice.
 */
export function createUsageTally({ write, log, now }: UsageTallyParts): UsageTally {
  const totals = new Map<string, Total>();
  const flush = async () => {
    const changed = [...totals.values()].filter(({ isWritten }) => !isWritten);
    if (changed.length === 0) return;
    for (const total of changed) total.isWritten = true;
    try {
      await write(changed.map(presentTotal));
    } catch (error) {
      for (const total of changed) total.isWritten = false;
      log.warn({ err: error, totals: changed.length }, 'the usage could not be written; it will be repeated');
    }
    const current = hourOf(now());
    for (const [key, { hour, isWritten }] of totals) if (isWritten && hour < current) totals.delete(key);
  };
  return {
    add({ workspace, environment }, meter, amount) {
      if (!(amount > 0)) return;
      const hour = hourOf(now());
      const key = `${workspace} ${environment} ${meter} ${hour}`;
      const total = totals.get(key);
      if (total) {
        total.amount += amount;
        total.isWritten = false;
      } else if (totals.size < TOTALS_MAX)
        totals.set(key, { workspace, environment, meter, hour, amount, value: '', isWritten: false });
    },
    flush,
    close: flush,
  };
}

/** Opens a tally that writes to the database every few seconds, until it is closed. */
export function openUsageTally(orm: Orm, log: Log, now: () => number): UsageTally {
  const process = randomUUID();
  const tally = createUsageTally({
    log,
    now,
    write: (totals) =>
      askDirectly(orm, 'select note_usage($1, $2::jsonb)', [process, JSON.stringify(totals)]),
  });
  let writing = Promise.resolve();
  const flush = () => (writing = writing.then(tally.flush));
  const timer = setInterval(() => void flush(), FLUSH_MS).unref();
  return {
    ...tally,
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}

function presentTotal({ workspace, environment, meter, hour, amount }: Total): UsageTotal {
  const { scale, decimals } = counted[meter];
  return { workspace, environment, meter, hour, value: (amount / scale).toFixed(decimals) };
}

/** Returns the start of the hour of a time, ISO 8601 in UTC. */
function hourOf(ms: number): string {
  return new Date(Math.floor(ms / HOUR_MS) * HOUR_MS).toISOString();
}
