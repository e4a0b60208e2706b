/**
 * The embedded PostgreSQL: one cluster per home folder, shared by every process that uses this home.
 *
 * - **home**: the folder of one installation. It contains `postgres` (data), `postgres.log`,
 *   `secrets/postgres` (superuser password), `leases` and `lock`.
 * - **server**: the postmaster of the cluster. It runs detached, so it keeps running if the process that
 *   started it is killed. Later processes then use the running server.
 * - **lease**: a file by which a process, the holder, records that it needs the server. The last holder that
 *   releases its lease stops the server.
 *
 * Holders and server identify each other by pid, so machines or containers must not share a home at the same
 * time.
 */
import { existsSync } from 'node:fs';
import { chmod, mkdir, realpath, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findBinaries } from './embedded/binaries.ts';
import { findAnsweringServer, findServer, formatUrl, readSecret } from './embedded/cluster.ts';
import { start, START_TIMEOUT_MS, stop, type Server } from './embedded/cluster.ts';
import { initialise, repair, takeOwnership } from './embedded/data.ts';
import { hasLeases, takeLease, underLock } from './embedded/lease.ts';
import { chooseRunner, type RunMode } from './embedded/runner.ts';

/** The interval in milliseconds at which a supervised server is checked. */
const WATCH_MS = 500;

export type EmbeddedCluster = {
  /** The URL of the superuser `postgres` and the database `postgres`, at 127.0.0.1. It contains the password. */
  url: string;
  port: number;
  /**
   * Supervises the server until `release()`. If the server ends unexpectedly, it is started again on its port
   * and `log` is called with a line.
   */
  supervise(log: (line: string) => void): void;
  /** Releases the lease, and stops the server if nobody else holds a lease. May be called more than once. */
  release(): Promise<void>;
};

export type EmbeddedOptions = {
  /**
   * The TCP port. Default: the previous port after a crash, otherwise any free port. A running server keeps its port.
   */
  port?: number;
  /** Receives one readable line per step. Default: none. */
  log?: (line: string) => void;
  /** The mode in which the server is run. Default: the first mode that works on this machine. Set in tests. */
  mode?: RunMode;
};

/**
 * Finds the running cluster of this home or starts it, and takes a lease until `release()`. The first start
 * initialises the cluster. If a process ends without `release()`, its lease becomes void and the server keeps
 * running.
 *
 * Throws an `Error` with a message for the operator: no binaries for this platform, port in use, home of
 * another user, server does not start (with the end of its log).
 */
export async function acquireEmbedded(home: string, options: EmbeddedOptions = {}): Promise<EmbeddedCluster> {
  const place = await prepareHome(home);
  return underLock(place, async () => {
    const lease = await takeLease(place);
    try {
      const server = await ensureServer(place, options);
      const url = formatUrl(server, await readSecret(place));
      const ended = new AbortController();
      let supervision: Promise<void> | undefined;
      let released: Promise<void> | undefined;
      const leave = async () => {
        ended.abort();
        await supervision;
        await release(place, lease, options.log);
      };
      return {
        url,
        port: server.port,
        supervise: (log) => {
          supervision ??= keepAlive(place, server.port, { ...options, log: log }, ended.signal);
        },
        release: () => (released ??= leave()),
      };
    } catch (error) {
      await rm(lease, { force: true });
      throw error;
    }
  });
}

/**
 * Returns the superuser URL of this home's cluster if it runs and answers, otherwise `undefined`. Starts and writes
 * nothing. Throws if the server refuses the password stored in the home.
 */
export async function findEmbedded(home: string): Promise<EmbeddedCluster['url'] | undefined> {
  if (!existsSync(join(home, 'secrets/postgres'))) return undefined;
  const place = await realpath(home);
  const server = await findAnsweringServer(place);
  return server && formatUrl(server, await readSecret(place));
}

async function ensureServer(home: string, { port, mode, log = () => {} }: EmbeddedOptions): Promise<Server> {
  if ((await findServer(home))?.status === 'stopping') await stop(home);
  const running = await findAnsweringServer(home, { waitMs: START_TIMEOUT_MS });
  if (running) {
    log(`using the embedded PostgreSQL that runs on port ${running.port}`);
    return running;
  }
  const binaries = await findBinaries();
  await repair(home);
  const runner = await chooseRunner({ home, binaries, ...(mode && { mode }) });
  if (existsSync(join(home, 'postgres'))) {
    await readSecret(home); // throws if the password cannot be read
    await takeOwnership(home, runner);
  } else {
    log(`setting up the embedded PostgreSQL in ${home}`);
    await initialise(home, runner);
  }
  const server = await start(home, runner, port);
  log(`started the embedded PostgreSQL on port ${server.port}`);
  return server;
}

/**
 * Checks the server repeatedly until the signal is aborted. Starts the server again if it has ended. Does nothing once
 * the home has been deleted.
 */
async function keepAlive(
  home: string,
  port: number,
  options: EmbeddedOptions & { log: (line: string) => void },
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    await delay(WATCH_MS, undefined, { signal: ended }).catch(() => undefined);
    const server = await findServer(home).catch(() => undefined);
    if (ended.aborted || server || !existsSync(join(home, 'postgres'))) continue;
    options.log('the embedded PostgreSQL has ended; starting it again');
    await underLock(home, async () => {
      if (!ended.aborted) await ensureServer(home, { ...options, port });
    }).catch((error: Error) => options.log(error.message));
  }
}

async function release(home: string, lease: string, log?: (line: string) => void): Promise<void> {
  // A server whose home was deleted shuts itself down within a minute, so it need not be stopped here.
  if (!existsSync(home)) return;
  await underLock(home, async () => {
    await rm(lease, { force: true });
    if (await hasLeases(home)) return;
    await stop(home);
    log?.('stopped the embedded PostgreSQL');
  });
}

/**
 * Creates the missing parts of the home folder. If this process runs as root, the folder must be readable by the
 * account that runs the server.
 */
async function prepareHome(home: string): Promise<string> {
  const uid = process.getuid?.();
  const isRoot = uid === 0;
  const path = resolve(home);
  const created = await mkdir(path, { recursive: true, mode: isRoot ? 0o755 : 0o700 });
  // The umask may have removed permissions from the mode.
  if (created !== undefined && isRoot) await chmod(path, 0o755);
  const owner = (await stat(path)).uid;
  if (uid && uid !== owner) {
    throw new Error(
      `${path} belongs to another user (uid ${owner}); remove it or set ASSAY_HOME to another folder`,
    );
  }
  await mkdir(join(path, 'leases'), { recursive: true });
  await mkdir(join(path, 'secrets'), { recursive: true, mode: 0o700 });
  return realpath(path);
}
