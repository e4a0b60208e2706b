import type { Log } from './log.ts';

/**
 * Calls `drain` once on SIGTERM or SIGINT. Exits with 0, or with 1 if `drain` fails or takes longer than
 * `limitMs`. A process with an IPC channel to its parent also drains when the parent has ended.
 */
export function onShutdown(log: Log, limitMs: number, drain: () => Promise<void>): void {
  let draining = false;
  const shutdown = (reason: string) => {
    if (draining) return;
    draining = true;
    // The time limit is set before the log is written, because a write to a log that nobody reads can block.
    setTimeout(() => process.exit(1), limitMs).unref();
    log.info({ reason }, 'draining');
    drain().then(
      () => {
        log.info('drained');
        process.exit(0);
      },
      (error: unknown) => {
        log.error({ err: error }, 'drain failed');
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', () => shutdown('SIGTERM'));
  process.on('SIGINT', () => shutdown('SIGINT'));
  process.on('disconnect', () => shutdown('parent gone'));
}
