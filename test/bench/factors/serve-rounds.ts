import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * Serves the measured work of a process. For each line `round` on stdin it does the work once and answers
 * `{ms}`. On `end` it writes its result if requested, answers `{peak_kb}` and exits. `factors.py` speaks the
 * same protocol. `clock` returns milliseconds; the default is wall-clock time.
 */
export async function serveRounds(
  work: () => Float64Array | undefined,
  resultPath: string | undefined,
  clock: () => number = () => performance.now(),
): Promise<void> {
  let result: Float64Array | undefined;
  for await (const line of createInterface({ input: process.stdin })) {
    if (line === 'end') break;
    const started = clock();
    result = work();
    answer({ ms: clock() - started });
  }
  if (result && resultPath) writeFileSync(resultPath, new Uint8Array(result.buffer));
  answer({ peak_kb: peakKb() });
}

function answer(document: object): void {
  process.stdout.write(`${JSON.stringify(document)}\n`);
}

/** Returns the peak memory of the process; null if the system does not report it. */
function peakKb(): number | null {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))![1]);
  } catch {
    return null;
  }
}
