import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';
import type { Row } from './bench.ts';

/** Linux counts the processor time of processes in hundredths of a second. */
export const TICK_US = 10_000;

/**
 * The subject or the peer of a comparison: the processes whose time is counted, and the work, which returns its
 * number of completions per second.
 */
export type Worked = { pids: readonly number[]; work(): Promise<number> };

/** Returns the PostgreSQL processes that serve connections of this name. */
export async function backendsOf(superuser: Client, application: string): Promise<number[]> {
  const { rows } = await superuser.query<{ pid: number }>(
    'select pid from pg_stat_activity where application_name = $1 and datname = current_database()',
    [application],
  );
  return rows.map(({ pid }) => pid);
}

/**
 * Returns a row with the processor time per request of the subject and of the peer. If the machine has other
 * load, processor time is more meaningful than rates. The row has no figures if the system does not report
 * processor time.
 */
export async function processorRow(
  about: Pick<Row, 'bench' | 'case' | 'note'>,
  { subject, peer }: { subject: Worked; peer: Worked },
): Promise<Row> {
  const [figure, other] = [await microseconds(subject), await microseconds(peer)];
  const ratio = figure === null || other === null ? null : figure / other;
  return { ...about, unit: 'us', figure, peer: other, ratio, spread: null, target: null, met: null };
}

async function microseconds({ pids, work }: Worked): Promise<number | null> {
  const before = ticksOf(pids);
  const started = performance.now();
  const perSecond = await work();
  const done = (perSecond * (performance.now() - started)) / 1_000;
  const after = ticksOf(pids);
  return before === null || after === null ? null : ((after - before) * TICK_US) / done;
}

function ticksOf(pids: readonly number[]): number | null {
  if (process.platform !== 'linux') return null;
  return pids.reduce((ticks, pid) => ticks + statOf(pid).ticks, 0);
}

/** Returns the processor time of each process in ticks. Processes that have ended are left out. */
export function ticksByProcess(pids: readonly number[]): Map<number, number> {
  const found = pids.map((pid) => [pid, ifAlive(pid)?.ticks] as const);
  return new Map(found.filter((entry): entry is readonly [number, number] => entry[1] !== undefined));
}

/** Returns the processes that a process has started and that are still running. */
export function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => Number.isInteger(pid) && ifAlive(pid)?.parent === parent);
}

function ifAlive(pid: number): ReturnType<typeof statOf> | undefined {
  try {
    return statOf(pid);
  } catch {
    return undefined;
  }
}

function statOf(pid: number): { parent: number; ticks: number } {
  // The name of the process may contain blanks. After the name, the second field is the parent, and the 12th and 13th
  // are user and system time.
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)!.split(' ');
  return { parent: Number(fields[1]), ticks: Number(fields[11]) + Number(fields[12]) };
}

/** Returns the processor time of work in this process, in milliseconds. */
export function processorMs(work: () => void): number {
  const start = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
