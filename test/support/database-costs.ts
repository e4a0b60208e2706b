import { setTimeout as delay } from 'node:timers/promises';
import { median } from 'simple-statistics';
import { Client } from 'pg';
import type { CountingProxy, RoundTrip } from './counting-proxy.ts';

/** The costs of a piece of work in PostgreSQL. These counts do not depend on the load of the machine. */
export type Costs = {
  roundTrips: number;
  /** Each kind of round trip with its number, most frequent first. */
  kinds: string[];
  writingTransactions: number;
  walBytes: number;
};

type Marks = { xid: number; lsn: number; trips: number };

/** The time in which sent commits and late statements of finished work arrive, in milliseconds. */
const SETTLE_MS = 300;

/** The number of measured slices, of which the median of the WAL counts. */
const SLICES = 5;

/**
 * Carries out `work` in slices, each of which does the same `times` times, and returns the costs of one. Writing
 * transactions are counted by their ids, which only transactions that write get, and WAL by its position. Because
 * background processes of the database write too, the slice with the median counts.
 */
export async function costsOf(
  superuserUrl: string,
  proxy: CountingProxy,
  { times, work }: { times: number; work: () => Promise<unknown> },
): Promise<Costs> {
  const client = new Client({ connectionString: superuserUrl });
  await client.connect();
  const marks = async (): Promise<Marks> => {
    await delay(SETTLE_MS);
    const { rows } = await client.query<{ xid: string; lsn: string }>(
      `select pg_snapshot_xmax(pg_current_snapshot())::text as xid,
         (pg_current_wal_insert_lsn() - '0/0')::text as lsn`,
    );
    return { xid: Number(rows[0]!.xid), lsn: Number(rows[0]!.lsn), trips: proxy.roundTrips().length };
  };
  try {
    const all = [await marks()];
    for (let slice = 0; slice < SLICES; slice++) {
      for (let time = 0; time < times; time++) await work();
      all.push(await marks());
    }
    const each = (sum: number) => Math.round((sum / times) * 100) / 100;
    const middle = (member: keyof Marks) =>
      each(median(all.slice(1).map((mark, at) => mark[member] - all[at]![member])));
    const trips = proxy.roundTrips().slice(all[0]!.trips);
    return {
      roundTrips: middle('trips'),
      writingTransactions: middle('xid'),
      walBytes: middle('lsn'),
      kinds: kindsOf(trips).map(([kind, count]) => `${each(count / SLICES)} x ${kind}`),
    };
  } finally {
    await client.end();
  }
}

function kindsOf(trips: readonly RoundTrip[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const { user, statements } of trips) {
    const kind = `${user.split('_').at(-1)}: ${statements.join(' + ').replaceAll(/'[^']*'/g, `'?'`)}`;
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}
