import type { Client } from 'pg';
import { requestsPerSecond } from '../load.ts';
import { ticksByProcess, TICK_US } from '../processor-time.ts';
import type { Part, Stack } from './stack.ts';

const CLIENTS = 16;
const PARTS: readonly Part[] = ['api', 'worker', 'redis'];

/** The cost of one request: processor time in microseconds, and work in PostgreSQL. */
export type Use = {
  perSecond: number;
  microseconds: Record<Part | 'postgres' | 'all', number>;
  walBytes: number;
  writingTransactions: number;
};

/** Sends a request with 16 clients for some time, and returns what one request costs the whole stack. */
export async function useOf(
  superuser: Client,
  stack: Stack,
  { what, forMs }: { what: 'job' | 'read'; forMs: number },
): Promise<Use> {
  const before = await marksOf(superuser, stack);
  const started = performance.now();
  const perSecond = await requestsPerSecond({ ...stack[what], clients: CLIENTS, forMs });
  const done = (perSecond * (performance.now() - started)) / 1_000;
  const after = await marksOf(superuser, stack);
  const spent = (part: Part | 'postgres') => (ticksBetween(before, after, part) * TICK_US) / done;
  const [api, worker, redis, postgres] = [spent('api'), spent('worker'), spent('redis'), spent('postgres')];
  return {
    perSecond,
    microseconds: { api, worker, redis, postgres, all: api + worker + redis + postgres },
    walBytes: (after.lsn - before.lsn) / done,
    writingTransactions: (after.xid - before.xid) / done,
  };
}

/** The processes of PostgreSQL that work for all databases, and therefore for the stack that is measured. */
const SHARED = ['walwriter', 'checkpointer', 'background writer', 'io worker'];

/** The processor time of each process in ticks, and the positions of PostgreSQL, at one moment. */
export type Marks = { ticks: Record<Part | 'postgres', Map<number, number>>; xid: number; lsn: number };

/** Returns the ticks of a part between two moments. Processes that have ended in between are left out. */
export function ticksBetween(before: Marks, after: Marks, part: Part | 'postgres'): number {
  let ticks = 0;
  for (const [pid, now] of after.ticks[part]) ticks += now - (before.ticks[part].get(pid) ?? 0);
  return ticks;
}

export async function marksOf(
  superuser: Client,
  { database, pids }: Pick<Stack, 'database' | 'pids'>,
): Promise<Marks> {
  const backends = await superuser.query<{ pid: number }>(
    'select pid from pg_stat_activity where datname = $1 or backend_type = any($2)',
    [database, SHARED],
  );
  // Only transactions that write have an id.
  const written = await superuser.query<{ xid: string; lsn: string }>(
    `select pg_snapshot_xmax(pg_current_snapshot())::text as xid, (pg_current_wal_insert_lsn() - '0/0')::text as lsn`,
  );
  const ticks = Object.fromEntries([
    ...PARTS.map((part) => [part, ticksByProcess(pids[part])]),
    ['postgres', ticksByProcess(backends.rows.map(({ pid }) => pid))],
  ]) as Marks['ticks'];
  return { ticks, xid: Number(written.rows[0]!.xid), lsn: Number(written.rows[0]!.lsn) };
}
