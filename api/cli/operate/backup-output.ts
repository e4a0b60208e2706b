import { SingleBar } from 'cli-progress';
import type { Manifest } from '#lib/database/backup/manifest.ts';
import type { OutputOptions } from '../shell/output.ts';

/** Creates a progress bar for a terminal. In JSON mode there is no progress bar. */
export function backupBar(state: string, { json }: OutputOptions) {
  if (json || !process.stderr.isTTY) return undefined;
  const bar = new SingleBar({
    format: `${state} [{bar}] {percentage}% {table}`,
    stream: process.stderr,
    hideCursor: true,
  });
  bar.start(100, 0, { table: '' });
  return {
    show: ({ done, total, table }: { done: number; total: number; table: string }) =>
      bar.update(Math.floor((100 * done) / Math.max(total, 1)), { table }),
    stop: () => bar.stop(),
  };
}

/**
 * Returns the fields that both commands print about a backup. `started`: the value of `performance.now()` when the
 * command began.
 */
export function describeBackup(manifest: Manifest, started: number): Record<string, unknown> {
  return {
    assay_version: manifest.assay_version,
    created_at: manifest.created_at,
    tables: manifest.tables.length,
    rows: manifest.tables.reduce((sum, { rows }) => sum + rows, 0),
    seconds: Math.round(performance.now() - started) / 1_000,
  };
}
