import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/**
 * The side of a process that is measured: for each line `round` on stdin it works once and answers `{ms}`; on `end` it
 * writes what it computed, if that is asked for, answers `{peak_kb}` and ends. `factors.py` speaks the same. `clock` tells
 * milliseconds, of the wall by default.
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

/** The most memory that the process had in use; null where the system does not tell. */
function peakKb(): number | null {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))![1]);
  } catch {
    return null;
  }
}
