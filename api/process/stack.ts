import { fork, type ChildProcess } from 'node:child_process';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { encryptionKey } from '#lib/core/encryption.ts';
import { environmentOf, type Config, type Part } from '#lib/core/config.ts';
import { migrate } from '#lib/database/migrate.ts';
import { openOwnedDatabase } from '#lib/database/open.ts';
import { operatorPassword, roleUrl, type Role } from '#lib/database/roles.ts';
import { HEAP_OPTIONS, MEMORY_VARIABLES } from '#lib/core/heap.ts';
import { ensureFirstKey } from './first-key.ts';

/** The entry file of the console. */
const CONSOLE_ENTRY = 'api/console/server.ts';
const RESTART_MS = 1_000;
/** How long a process may take to start, in milliseconds. Even slow machines need much less. */
const START_MS = 300_000;
/** How long a stop waits for statements of an interrupted start, in milliseconds. */
const SETTLE_MS = 10_000;

export type StackOptions = {
  config: Config;
  /** Additional environment variables for the processes of the stack. */
  env?: Record<string, string>;
  /** The directory of the processes' logs. Default: the terminal. */
  logDirectory?: string;
  notify(line: string): void;
  /** Aborts the start: started processes are ended, and `startStack` rejects. */
  interrupted?: AbortSignal;
};

export type Stack = {
  ownerUrl: string;
  url: string;
  opsUrl: string | undefined;
  /** The URL of the console; undefined if it is not started. */
  consoleUrl: string | undefined;
  /** The URL of each part's health checks and metrics, by the name of the part. */
  opsUrls: ReadonlyMap<string, string>;
  /** The process id of a part, such as `worker-numerics-1`. */
  pid(service: string): number | undefined;
  stop(): Promise<void>;
};

type Service = { name: string; part: Part; entry: string; role: Role; env?: Record<string, string> };
type Ready = { url?: string; opsUrl?: string };

/**
 * Starts all of Assay on one machine: the database if it is embedded, the API, the workers, the scheduler and the
 * console.
 * Each part is a process with its own database role. A part receives only the environment variables that it
 * reads, and no secret of another part. A process that exits is started again.
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const { config } = options;
  const database = await openOwnedDatabase(config, options.notify);
  let stopping = false;
  let starting: Promise<unknown> = Promise.resolve();
  const children = new Map<string, ChildProcess>();
  const opsUrls = new Map<string, string>();
  const start = async (service: Service): Promise<Ready> => {
    if (stopping) throw new Error('the stack is being stopped');
    const child = spawnService(service, database.ownerUrl, options);
    children.set(service.name, child);
    const ready = await readyOf(child, service.name, options);
    if (ready.opsUrl) opsUrls.set(service.name, ready.opsUrl);
    child.once('exit', (code, signal) => {
      if (stopping) return;
      options.notify(`${service.name} ended (${signal ?? code}); starting it again`);
      void startAgain(service);
    });
    return ready;
  };
  const startAgain = async (service: Service): Promise<void> => {
    await delay(RESTART_MS);
    if (stopping) return;
    await start(service).catch((error: Error) => {
      options.notify(error.message);
      return startAgain(service);
    });
  };
  const stop = async () => {
    stopping = true;
    await Promise.all([...children.values()].map(endChild));
    // The database must not end under the statements of a start.
    const settled = new AbortController();
    const { signal } = settled;
    await Promise.race([starting, delay(SETTLE_MS, undefined, { signal })]).catch(() => undefined);
    settled.abort();
    await database.release();
  };
  const startAll = async () => {
    if (config.DATABASE_URL) await migrate(database.directUrl, config);
    await ensureFirstKey(database.ownerUrl, config);
    database.supervise(options.notify);
    return Promise.all(services(config).map(start));
  };
  try {
    const all = startAll();
    starting = all;
    const started = await unlessAborted(all, options.interrupted);
    const api = started[0];
    return {
      ownerUrl: database.ownerUrl,
      url: api!.url!,
      opsUrl: api!.opsUrl,
      consoleUrl: config.CONSOLE ? byName(started.at(-1)!.url!) : undefined,
      opsUrls,
      pid: (name) => children.get(name)?.pid,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the URL of the console with the name of this machine, because browsers bind passkeys to names only. */
function byName(url: string): string {
  return url.replace('//127.0.0.1:', '//localhost:');
}

/**
 * Returns the result of `work`, or rejects as soon as the signal is aborted. The result of the work is then
 * ignored.
 */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work;
  return new Promise((resolve, reject) => {
    const abort = () => reject(new Error('interrupted'));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort, { once: true });
    work.then(resolve, reject);
  });
}

/** Returns the entry files of all processes of the stack. */
export function entriesOf(config: Config): string[] {
  return [...new Set(services(config).map(({ entry }) => entry))];
}

function services(config: Config): Service[] {
  const numerics = Array.from({ length: config.NUMERICS_WORKERS }, (_, index) => ({
    name: `worker-numerics-${index + 1}`,
    part: 'numerics' as const,
    entry: 'workers/process/worker.ts',
    role: 'worker' as const,
    env: { WORKER_QUEUE: 'numerics' },
  }));
  return [
    { name: 'api', part: 'api', entry: 'api/process/server.ts', role: 'api' },
    ...numerics,
    {
      name: 'worker-io',
      part: 'io',
      entry: 'workers/process/worker.ts',
      role: 'worker',
      env: { WORKER_QUEUE: 'io' },
    },
    { name: 'scheduler', part: 'scheduler', entry: 'workers/process/scheduler.ts', role: 'worker' },
    ...(config.CONSOLE
      ? [{ name: 'console', part: 'console' as const, entry: CONSOLE_ENTRY, role: 'console' as const }]
      : []),
  ];
}

function spawnService(service: Service, ownerUrl: string, options: StackOptions): ChildProcess {
  const log = options.logDirectory ? openLog(options.logDirectory, service.name) : 'inherit';
  const child = fork(new URL(`../../${service.entry}`, import.meta.url), {
    env: {
      ...MEMORY_VARIABLES,
      ...environmentOf(service.part, { ...process.env, ...options.env }),
      ...(service.name === 'api' ? {} : { OPS_PORT: otherOpsPort(options.config) }),
      ...service.env,
      ...(service.part === 'console' ? { ENCRYPTION_KEY: keyOfCodes(ownerUrl, options.config) } : {}),
      DATABASE_URL: roleUrl(ownerUrl, service.role, options.config),
      ...directUrlOf(service, options.config),
    },
    execArgv: [...process.execArgv, ...HEAP_OPTIONS],
    stdio: ['ignore', log, log, 'ipc'],
  });
  if (typeof log === 'number') closeSync(log);
  return child;
}

/** Returns the URL without a pooler as the URL of the role of the service, if it is set. */
function directUrlOf({ role }: Service, config: Config): NodeJS.ProcessEnv {
  const { DATABASE_DIRECT_URL: url } = config;
  return url ? { DATABASE_DIRECT_URL: roleUrl(url, role, config) } : {};
}

/** Returns the key with which the console verifies one-time codes, in base64. */
function keyOfCodes(ownerUrl: string, config: Config): string {
  const password = operatorPassword(ownerUrl, config) ?? '';
  return encryptionKey(config.ENCRYPTION_KEY, password).toString('base64');
}

/**
 * Returns the ops port for all parts except the API. If a port is configured, only the API uses it, and the
 * other parts use free ports.
 */
function otherOpsPort({ OPS_PORT }: Config): string {
  return OPS_PORT === 0 ? '0' : '';
}

/**
 * Opens a log file. The processes write to it themselves, so that logging does not depend on the process that
 * started them.
 */
function openLog(directory: string, name: string): number {
  mkdirSync(directory, { recursive: true });
  return openSync(path.join(directory, `${name}.log`), 'a', 0o600);
}

/** Waits until the process reports that it is ready. */
async function readyOf(child: ChildProcess, name: string, options: StackOptions): Promise<Ready> {
  const where = options.logDirectory ? `; see ${path.join(options.logDirectory, `${name}.log`)}` : '';
  const late = AbortSignal.timeout(START_MS);
  const ended = once(child, 'exit', { signal: late }).then(
    ([code, signal]) => {
      throw new Error(`${name} did not start (${signal ?? code})${where}`);
    },
    () => {
      throw new Error(`${name} was not ready within ${START_MS / 1_000} s${where}`);
    },
  );
  const ready = new Promise<Ready>((resolve) => {
    child.on('message', (message) => {
      if (message === 'ready' || typeof message === 'object') {
        resolve(message === 'ready' ? {} : (message as Ready));
      }
    });
  });
  return Promise.race([ready, ended]);
}

async function endChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
