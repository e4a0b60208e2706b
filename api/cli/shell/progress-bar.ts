import { SingleBar } from 'cli-progress';
import type { ImportProgress } from '#lib/data/import/load/import-request.ts';
import type { OutputOptions } from './output.ts';

/**
 * Shows the progress of an import on a terminal. Shows nothing if the output is not a terminal or if JSON was
 * requested.
 */
export function progressBar({ json }: OutputOptions) {
  if (json || !process.stderr.isTTY) return undefined;
  const bar = new SingleBar({
    format: '{state} [{bar}] {percentage}% {rows} rows, {rate} rows/s',
    stream: process.stderr,
    hideCursor: true,
  });
  const started = performance.now();
  bar.start(100, 0, { state: 'Reading', rows: 0, rate: 0 });
  return {
    show: ({ bytesRead, bytesTotal, rows }: ImportProgress) =>
      bar.update(Math.floor((100 * bytesRead) / Math.max(bytesTotal, 1)), {
        state: bytesRead < bytesTotal ? 'Reading' : 'Storing',
        rows,
        rate: Math.round((1000 * rows) / Math.max(performance.now() - started, 1)),
      }),
    stop: () => bar.stop(),
  };
}
