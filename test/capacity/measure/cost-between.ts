import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Client } from 'pg';
import type { CountingProxy } from '../../support/counting-proxy.ts';
import { marksOf, ticksBetween, type Marks } from '../../bench/peers/use.ts';
import type { Stack } from '../../bench/peers/stack.ts';
import { TICK_US } from '../../bench/processor-time.ts';
import { parts, type Cost, type Part, type StoredBytes } from '../cost.ts';

/** The processes and the server whose costs are counted. */
export type Subject = Pick<Stack, 'database' | 'pids'> & {
  /** A connection of the superuser to the database. */
  superuser: Client;
  redisUrl: string | undefined;
  /** The proxy that counts round trips; undefined if they are counted apart. */
  proxy: CountingProxy | undefined;
  /** Whether to wait until PostgreSQL has published its counts of writes and of connections. */
  waitsForCounts: boolean;
};

/** Work with the number of units that it does. */
export type Slice = { units: number; work(): Promise<unknown> };

type Idle = Record<Part, number>;

/** The time in which sent commits and late statements of finished work arrive, in milliseconds. */
const SETTLE_MS = 300;
const CHECKPOINT_MS = 1_000;
/** A server process of PostgreSQL publishes its counts once it has been idle for 10 s. */
const PUBLISH_MS = 10_500;

type Counts = {
  walFlushes: number;
  pageWrites: number;
  connectionMs: number;
  queueTrips: number;
  stored: StoredBytes;
};

/**
 * Measures the cost of each slice, one after the other. Every kind of work should have been done before, so that code is
 * compiled and pages are in memory.
 *
 * The processor time that the processes use without work, such as periodic tasks, is measured first and subtracted.
 * PostgreSQL should run without full-page images, because their number depends on the time between checkpoints.
 */
export async function costsOf<Name extends string>(
  subject: Subject,
  slices: Readonly<Record<Name, Slice>>,
): Promise<{ costs: Record<Name, Cost>; idleMsPerS: number }> {
  const { superuser } = subject;
  const idle = await idleOf(subject);
  const costs = {} as Record<Name, Cost>;
  for (const [name, { units, work }] of Object.entries<Slice>(slices)) {
    await checkpoint(superuser);
    const before = { marks: await marksOf(superuser, subject), ...(await countsOf(subject)) };
    const started = performance.now();
    const trips = subject.proxy?.roundTrips().length ?? 0;
    await work();
    await delay(SETTLE_MS);
    const marks = await marksOf(superuser, subject);
    const seconds = (performance.now() - started) / 1_000;
    const postgresTrips = (subject.proxy?.roundTrips().length ?? 0) - trips;
    // Redis is read now, because its clients also send commands while they are idle.
    const queueTrips = await redisReads(subject);
    await published(subject);
    await checkpoint(superuser);
    const after = await countsOf(subject);
    const each = (now: number, earlier: number) => Math.max(0, now - earlier) / units;
    const spent = (part: Part) => spentMs(before.marks, marks, part) - idle[part] * seconds;
    costs[name as Name] = {
      processorMs: byPart((part) => Math.max(0, spent(part)) / units),
      walBytes: each(marks.lsn, before.marks.lsn),
      walFlushes: each(after.walFlushes, before.walFlushes),
      pageWrites: each(after.pageWrites, before.pageWrites),
      storedBytes: {
        table: each(after.stored.table, before.stored.table),
        index: each(after.stored.index, before.stored.index),
        toast: each(after.stored.toast, before.stored.toast),
      },
      postgresTrips: postgresTrips / units,
      queueTrips: each(queueTrips, before.queueTrips),
      connectionMs: each(after.connectionMs, before.connectionMs),
      slotMs: 0,
    };
  }
  return { costs, idleMsPerS: parts.reduce((sum, part) => sum + idle[part], 0) };
}

/** Writes all changed pages. The checkpointer publishes its counts only after the command has returned. */
async function checkpoint(superuser: Client): Promise<void> {
  await superuser.query('checkpoint');
  await delay(CHECKPOINT_MS);
}

/** Measures the processor time without work, in milliseconds a second, while PostgreSQL publishes its counts. */
async function idleOf(subject: Subject): Promise<Idle> {
  await delay(SETTLE_MS);
  const before = await marksOf(subject.superuser, subject);
  const started = performance.now();
  await published(subject);
  const after = await marksOf(subject.superuser, subject);
  const seconds = (performance.now() - started) / 1_000;
  return byPart((part) => spentMs(before, after, part) / seconds);
}

function published({ waitsForCounts }: Subject): Promise<void> {
  return delay(waitsForCounts ? PUBLISH_MS : SETTLE_MS);
}

function spentMs(before: Marks, after: Marks, part: Part): number {
  return (ticksBetween(before, after, part) * TICK_US) / 1_000;
}

function byPart(value: (part: Part) => number): Record<Part, number> {
  return Object.fromEntries(parts.map((part) => [part, value(part)])) as Record<Part, number>;
}

async function countsOf(subject: Subject): Promise<Counts> {
  const { rows } = await subject.superuser.query(`
    select
      (select sum(fsyncs)::float8 from pg_stat_io where object = 'wal') as flushes,
      (select sum(writes)::float8 from pg_stat_io where object = 'relation') as pages,
      (select active_time + idle_in_transaction_time from pg_stat_database where datname = current_database())
        as connection_ms,
      sum(pg_relation_size(c.oid)) filter (where c.relkind = 'r')::float8 as table,
      sum(pg_relation_size(c.oid)) filter (where c.relkind = 'i' and n.nspname <> 'pg_toast')::float8 as index,
      sum(pg_relation_size(c.oid)) filter (where n.nspname = 'pg_toast')::float8 as toast
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'i', 't') and n.nspname not in ('pg_catalog', 'information_schema')`);
  const [row] = rows;
  return {
    walFlushes: row.flushes,
    pageWrites: row.pages,
    connectionMs: row.connection_ms,
    queueTrips: await redisReads(subject),
    stored: { table: row.table, index: row.index, toast: row.toast },
  };
}

/** Returns how often Redis has read commands from its clients. Commands that are sent together are read once. */
async function redisReads({ redisUrl }: Subject): Promise<number> {
  if (redisUrl === undefined) return 0;
  const redis = new Redis(redisUrl);
  try {
    return Number(/total_reads_processed:(\d+)/.exec(await redis.info('stats'))?.[1] ?? 0);
  } finally {
    redis.disconnect();
  }
}
