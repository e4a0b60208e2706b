import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Cluster } from '../../support/cluster.ts';
import { freePort } from '../../support/redis.ts';
import { childrenOf } from '../processor-time.ts';
import { firstJob, redisPids, startPeerServices, type Stack } from './stack.ts';

const PYTHON = '/usr/bin/python3';
const FOLDER = import.meta.dirname;
const MODULES = ['fastapi', 'uvicorn', 'uvloop', 'httptools', 'celery', 'redis', 'asyncpg', 'psycopg2'];
const STARTS = 100;
const START_MS = 200;

/** The packages of Debian that the stack needs. */
export const PYTHON_PACKAGES = MODULES.map((name) => `python3-${name}`);

/** Whether all modules of the stack are installed. */
export function pythonIsThere(): boolean {
  return spawnSync(PYTHON, ['-c', `import ${MODULES.join(', ')}`]).status === 0;
}

/** Starts FastAPI on uvicorn and a Celery worker with two processes, with asyncpg and psycopg2. */
export async function startPython(cluster: Cluster): Promise<Stack> {
  const database = 'assay_bench_peer_python';
  const { databaseUrl, redis, headers } = await startPeerServices(cluster, database);
  const port = await freePort();
  const logs = path.join(cluster.home, 'logs', database);
  mkdirSync(logs, { recursive: true });
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    REDIS_URL: redis.url,
    PYTHONPATH: FOLDER,
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const start = (log: string, words: string[]): ChildProcess => {
    const file = openSync(path.join(logs, log), 'a', 0o600);
    const child = spawn(PYTHON, ['-m', ...words], { env, cwd: logs, stdio: ['ignore', file, file] });
    closeSync(file);
    return child;
  };
  const quiet = ['--without-gossip', '--without-mingle', '--without-heartbeat'];
  const worker = start('worker.log', [
    ...['celery', '-A', 'python_tasks', 'worker', '--concurrency', '2', '-l', 'WARNING'],
    ...quiet,
  ]);
  const api = start('api.log', [
    ...['uvicorn', 'python_api:app', '--host', '127.0.0.1', '--port', String(port)],
    ...['--loop', 'uvloop', '--http', 'httptools', '--no-access-log', '--log-level', 'warning'],
  ]);
  const stop = async () => {
    await Promise.all([api, worker].map(end));
    await redis.stop();
  };
  const url = `http://127.0.0.1:${port}/jobs`;
  const uid = await untilStarted({ url, headers }, [api, worker]).catch(async (error: unknown) => {
    await stop();
    throw error;
  });
  return {
    name: 'FastAPI + Celery',
    database,
    pids: { api: [api.pid!], worker: [worker.pid!, ...childrenOf(worker.pid!)], redis: redisPids(redis) },
    job: { url, method: 'POST', headers, status: 201 },
    read: { url: `${url}/${uid}`, method: 'GET', headers, status: 200 },
    stop,
  };
}

async function untilStarted(
  request: Parameters<typeof firstJob>[0],
  children: readonly ChildProcess[],
): Promise<string> {
  for (let turn = 0; turn < STARTS; turn += 1) {
    await delay(START_MS);
    if (children.some(hasEnded)) break;
    const uid = await firstJob(request).catch(() => undefined);
    if (uid !== undefined) return uid;
  }
  throw new Error('FastAPI and Celery did not start; see the logs of assay_bench_peer_python');
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}
