import { readdirSync, readFileSync } from 'node:fs';

/** Ticks per second in `/proc/<pid>/stat`. The value is the same on every Linux that Node runs on. */
const TICKS = 100;

type Process = { parent: number; ticks: number };

/**
 * Returns the processor time in seconds of a process, its running descendants, and the descendants that have
 * ended and were waited for. Returns zero for a process that has ended. The time is read from `/proc`. On
 * systems other than Linux, it is the time of this process alone.
 */
export function processorSeconds(pid: number): number {
  const processes = readProcesses();
  if (!processes) {
    const { user, system } = process.cpuUsage();
    return pid === process.pid ? (user + system) / 1e6 : 0;
  }
  const children = Map.groupBy(processes.keys(), (each) => processes.get(each)!.parent);
  const ticksOf = (each: number): number =>
    (processes.get(each)?.ticks ?? 0) +
    (children.get(each) ?? []).reduce((sum, child) => sum + ticksOf(child), 0);
  return ticksOf(pid) / TICKS;
}

function readProcesses(): Map<number, Process> | undefined {
  if (process.platform !== 'linux') return undefined;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(
    pids.flatMap((pid) => {
      const found = readProcess(pid);
      return found ? [[Number(pid), found] as const] : [];
    }),
  );
}

/**
 * Reads the fields of proc_pid_stat(5) after the name of the program, which may itself contain blanks and
 * brackets.
 */
function readProcess(pid: string): Process | undefined {
  let line: string;
  try {
    line = readFileSync(`/proc/${pid}/stat`, 'latin1');
  } catch {
    return undefined; // the process has ended meanwhile
  }
  const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
  const [, parent] = fields;
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(parent), ticks };
}
