/* Loaded before the code of a process whose event loop is watched. It answers `ASK` with a `LoopReport`. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { ASK, type LoopReport } from './loop-report.ts';

/** The number of square roots in one unit of work: about ten milliseconds on a fast machine. */
const ROOTS = 3e6;

// Threads of the process also load this file, but they have no channel to the parent.
if (process.channel) watch();

function watch(): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let [before, heldMs] = [usedMs(), 0];
  const turn = () => {
    const now = usedMs();
    heldMs = Math.max(heldMs, now - before);
    before = now;
  };
  setInterval(turn, 1).unref();
  process.on('message', (message) => {
    if (message !== ASK) return;
    turn();
    const report: LoopReport = { heldMs, delayMs: delay.max / 1e6, unitMs: unit() };
    process.send!({ loop: report });
    setImmediate(() => {
      before = usedMs();
      heldMs = 0;
      delay.reset();
    });
  });
  process.channel!.unref();
}

function unit(): number {
  const began = usedMs();
  let sum = 0;
  for (let at = 0; at < ROOTS; at++) sum += Math.sqrt(at);
  return sum > 0 ? usedMs() - began : 0;
}

/**
 * Returns the processor time of this thread alone, in milliseconds, without other processes and garbage
 * collection threads.
 */
function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}
