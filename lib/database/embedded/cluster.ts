import { open, readFile, realpath, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { describeProcess } from './process.ts';
import { launch, type Runner } from './runner.ts';
import { until } from './until.ts';

export type Server = { pid: number; port: number; status: string };

/**
 * The settings of the server. The server listens on loopback only. The installed binaries support wal_compression=pglz,
 * but not lz4.
 */
const SETTINGS = [
  'listen_addresses=127.0.0.1',
  'unix_socket_directories=',
  'timezone=UTC',
  'log_timezone=UTC',
  'max_connections=200',
  'shared_buffers=256MB',
  'max_wal_size=2GB',
  'checkpoint_timeout=15min',
  'random_page_cost=1.1',
  'jit=off',
  'wal_compression=pglz',
];

/**
 * The longest time to wait until a started server answers, in milliseconds. Recovery after a crash replays up to
 * max_wal_size.
 */
export const START_TIMEOUT_MS = 180_000;
const RETRY_TIMEOUT_MS = 10_000; // the maximum wait for the processes of a killed server to end
const STOP_TIMEOUT_MS = 30_000;
const LOG_BYTES_MAX = 10_000_000; // a longer log file is emptied at the next start

/** Returns the superuser's URL. The password is base64url and needs no escaping. */
export function formatUrl(server: Server, password: string): string {
  return `postgres://postgres:${password}@127.0.0.1:${server.port}/postgres`;
}

/**
 * Reads the superuser's password. Throws if the password is unreadable, because then nothing can connect to the
 * cluster.
 */
export async function readSecret(home: string): Promise<string> {
  const path = join(home, 'secrets/postgres');
  try {
    return (await readFile(path, 'utf8')).trim();
  } catch (cause) {
    throw new Error(`the password of the embedded PostgreSQL cannot be read from ${path}`, { cause });
  }
}

/** Returns the running server of this home, in any state; `undefined` if postmaster.pid is missing or stale. */
export async function findServer(home: string): Promise<Server | undefined> {
  const [pid, , , port, , , , status] = await readPidFile(home);
  if (!pid || !(await isServer(home, Number(pid)))) return undefined;
  return { pid: Number(pid), port: Number(port), status: status?.trim() ?? 'starting' };
}

/**
 * Returns the server of this home once it accepts connections. Waits up to `waitMs` (default 0) for a running server to
 * accept them. Returns `undefined` if there is no server, or if `waitMs` is 0 and the server does not answer. Throws
 * after a longer wait if the server runs and still does not answer.
 */
export async function findAnsweringServer(home: string, { waitMs = 0 } = {}): Promise<Server | undefined> {
  let problem: Error | undefined;
  const found = await until(
    async () => {
      const server = await findServer(home);
      if (!server) return 'gone';
      problem =
        server.port > 0 ? await diagnoseConnection(formatUrl(server, await readSecret(home))) : undefined;
      return server.port > 0 && !problem ? server : undefined;
    },
    { timeoutMs: waitMs },
  );
  if (found === 'gone') return undefined;
  if (found || waitMs === 0) return found;
  throw new Error(`the embedded PostgreSQL in ${home} runs but does not answer: ${problem?.message}`);
}

/**
 * Starts the server and waits until it answers. The data directory must exist and belong to the owner that the runner
 * requires.
 */
export async function start(home: string, runner: Runner, port?: number): Promise<Server> {
  const [, , , portBefore] = await readPidFile(home);
  // After a crash, the server starts on its previous port, so that running clients can connect again.
  let next = port ?? (Number(portBefore) || (await findFreePort()));
  let failure = '';
  const server = await until(
    async () => {
      const result = await startOnce(home, runner, next);
      if (typeof result !== 'string') return result;
      failure = result;
      if (result.includes('Address already in use')) {
        if (port !== undefined) throw new Error(`port ${port} of 127.0.0.1 is in use by another program`);
        next = await findFreePort();
      } else if (!/lock file .* already exists|shared memory block/.test(result)) {
        throw describeFailure(home, result);
      }
      return undefined;
    },
    { timeoutMs: RETRY_TIMEOUT_MS, everyMs: 200 },
  );
  if (!server) throw describeFailure(home, failure);
  return server;
}

/** Stops the server, if it runs, and waits until its process has ended. */
export async function stop(home: string): Promise<void> {
  const server = await findServer(home);
  if (!server) return;
  // SIGINT requests a fast shutdown. SIGQUIT, an immediate shutdown, loses no data either, but requires a
  // recovery at the next start.
  for (const signal of ['SIGINT', 'SIGQUIT'] as const) {
    if (await isServer(home, server.pid)) process.kill(server.pid, signal);
    const hasEnded = async () => ((await isServer(home, server.pid)) ? undefined : true);
    if (await until(hasEnded, { timeoutMs: STOP_TIMEOUT_MS })) return;
  }
  throw new Error(`the embedded PostgreSQL in ${home} (pid ${server.pid}) does not stop`);
}

/** Returns the running server, or the log output of the failed start. */
async function startOnce(home: string, runner: Runner, port: number): Promise<Server | string> {
  const running = await findAnsweringServer(home);
  if (running) return running;
  const data = await realpath(join(home, 'postgres'));
  // Without this removal, PostgreSQL would mistake any live process with this pid for its own server. The data stays
  // protected: PostgreSQL does not start while a process of a killed server is attached to the shared memory block.
  if (!(await findServer(home))) await rm(join(data, 'postmaster.pid'), { force: true });

  const log = await open(join(home, 'postgres.log'), 'a', 0o600);
  if ((await log.stat()).size > LOG_BYTES_MAX) await log.truncate(0);
  const { size } = await log.stat();
  const args = ['-D', data, '-p', String(port), ...SETTINGS.flatMap((setting) => ['-c', setting])];
  const child = launch(runner, 'postgres', args, ['ignore', log.fd, log.fd]);
  let ended: string | undefined;
  child.once('error', (error) => (ended = error.message));
  child.once('exit', () => (ended ??= ''));
  child.unref();
  await log.close();

  const server = await until(async () => (ended === undefined ? findAnsweringServer(home) : ended), {
    timeoutMs: START_TIMEOUT_MS,
  });
  if (typeof server === 'object') return server;
  const written = (await readFile(join(home, 'postgres.log'))).subarray(size).toString();
  return `${server ?? `not ready after ${START_TIMEOUT_MS / 1000} s`}\n${written}`;
}

function describeFailure(home: string, failure: string): Error {
  const lines = failure.trim().split('\n').slice(-20).join('\n');
  return new Error(`the embedded PostgreSQL in ${home} does not start:\n${lines}`);
}

/**
 * Returns the lines of postmaster.pid. Line 1 is the pid, line 4 the port, line 8 the status (starting, stopping,
 * ready). The file may be incomplete while a server starts.
 */
async function readPidFile(home: string): Promise<string[]> {
  return (await readFile(join(home, 'postgres/postmaster.pid'), 'utf8').catch(() => '')).split('\n');
}

/** Whether a process is the postmaster of this home, as `startOnce` starts it. */
async function isServer(home: string, pid: number): Promise<boolean> {
  const data = await realpath(join(home, 'postgres'));
  const found = await describeProcess(pid);
  return found?.command.replaceAll('\0', ' ').includes(`/postgres -D ${data} `) ?? false;
}

/** Returns why a connection fails; `undefined` if the server accepts connections. */
async function diagnoseConnection(url: string): Promise<Error | undefined> {
  const client = new pg.Client({ connectionString: url, ssl: false, connectionTimeoutMillis: 3_000 });
  client.on('error', () => {}); // an error while the connection closes is ignored
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === '28P01') {
      throw new Error('the embedded PostgreSQL refuses the password in secrets/postgres', { cause: error });
    }
    return code === '53300' ? undefined : (error as Error); // all connections are in use, so the server answers
  } finally {
    await client.end().catch(() => {});
  }
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo; // a TCP listener always has this form of address
      probe.close(() => resolve(port));
    });
  });
}
