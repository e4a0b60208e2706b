import { readdirSync, readFileSync } from 'node:fs';

const MEBIBYTE_KB = 1_024;
const LOOK_EVERY_MS = 20;

/** Watches a process and its children; `stop` returns the peak of their combined resident memory, in MiB. */
export function watchMemory(pid: number): { now(): number; stop(): number } {
  let max = 0;
  const residentKb = () => [pid, ...childrenOf(pid)].reduce((sum, each) => sum + residentKbOf(each), 0);
  const look = () => (max = Math.max(max, residentKb()));
  look();
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  return {
    now: () => residentKb() / MEBIBYTE_KB,
    stop() {
      clearInterval(timer);
      return max / MEBIBYTE_KB;
    },
  };
}

function childrenOf(pid: number): number[] {
  try {
    const texts = readdirSync(`/proc/${pid}/task`).map((task) =>
      readFileSync(`/proc/${pid}/task/${task}/children`, 'latin1'),
    );
    return texts.flatMap((text) => text.split(' ').filter(Boolean).map(Number));
  } catch {
    return []; // the process has ended meanwhile
  }
}

function residentKbOf(pid: number): number {
  try {
    const [, kb] = /^VmRSS:\s*(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1')) ?? [];
    return Number(kb ?? 0);
  } catch {
    return 0;
  }
}
