import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';
import { freePort } from './redis.ts';
import { eventually } from './runs.ts';

/** A Redis server of a test. */
export type Server = { port: number; process: ChildProcess };

/** A master with one replica, and three Sentinels that watch both. */
export type Sentinels = {
  /** The `REDIS_URL`, with the passwords of the master and of the Sentinels. */
  url: string;
  master: Server;
  replica: Server;
  /** Returns a client of one of the two servers. The caller disconnects it. */
  client(server: Server): Redis;
  stop(): Promise<void>;
};

const NAME = 'assay';
const PASSWORD = 'password-of-the-servers';
const SENTINEL_PASSWORD = 'password-of-the-sentinels';
/** How long a master may be silent before a Sentinel calls it down, in milliseconds. */
const DOWN_MS = 1_000;
const SENTINELS = 3;
const QUORUM = 2;

/** Starts a master, its replica and three Sentinels, all on loopback ports and with passwords. */
export async function startSentinels(): Promise<Sentinels> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-sentinel-'));
  chmodSync(folder, 0o700);
  const started: ChildProcess[] = [];
  const start = async (name: string, lines: readonly string[], mode: readonly string[] = []) => {
    const port = await freePort();
    const file = path.join(folder, `${name}.conf`);
    writeFileSync(file, [`port ${port}`, 'bind 127.0.0.1', `dir ${folder}`, ...lines, ''].join('\n'));
    const child = spawn('redis-server', [file, ...mode], { stdio: 'ignore' });
    started.push(child);
    return { port, process: child };
  };
  const stop = async () => {
    for (const child of started) await kill(child);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const server = [
      `requirepass ${PASSWORD}`,
      `masterauth ${PASSWORD}`,
      'save ""',
      'repl-diskless-sync-delay 0',
    ];
    const master = await start('master', server);
    const replica = await start('replica', [...server, `replicaof 127.0.0.1 ${master.port}`]);
    const watch = [
      `requirepass ${SENTINEL_PASSWORD}`,
      `sentinel monitor ${NAME} 127.0.0.1 ${master.port} ${QUORUM}`,
      `sentinel auth-pass ${NAME} ${PASSWORD}`,
      `sentinel down-after-milliseconds ${NAME} ${DOWN_MS}`,
      `sentinel failover-timeout ${NAME} 10000`,
    ];
    const sentinels: Server[] = [];
    for (let count = 1; count <= SENTINELS; count++)
      sentinels.push(await start(`sentinel-${count}`, watch, ['--sentinel']));
    for (const each of sentinels) await knowsAll(clientOf(each, SENTINEL_PASSWORD));
    const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return {
      url: `redis+sentinel://:${PASSWORD}@${hosts}/${NAME}?sentinelPassword=${SENTINEL_PASSWORD}`,
      master,
      replica,
      client: (each) => clientOf(each, PASSWORD),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Ends a process that may be frozen or dead. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

/** Waits until a Sentinel knows the replica and both other Sentinels, so that it can take part in a failover. */
async function knowsAll(sentinel: Redis): Promise<void> {
  try {
    await eventually(async () => {
      const answer = await sentinel.call('SENTINEL', 'master', NAME).catch(() => []);
      const pairs = answer as string[];
      const valueOf = (name: string) => pairs[pairs.indexOf(name) + 1];
      return valueOf('num-slaves') === '1' && valueOf('num-other-sentinels') === String(SENTINELS - 1);
    }, 'a Sentinel that knows the replica and the other Sentinels');
  } finally {
    sentinel.disconnect();
  }
}

function clientOf({ port }: Server, password: string): Redis {
  const client = new Redis(port, '127.0.0.1', {
    password,
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  });
  client.on('error', () => {});
  return client;
}
