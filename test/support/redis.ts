import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Redis } from 'ioredis';

export type RedisServer = { url: string; process: ChildProcess | undefined; stop(): Promise<void> };

/** Whether tests can use Redis: either `REDIS_URL` is set or `redis-server` is installed. */
export function redisIsThere(): boolean {
  return Boolean(process.env['REDIS_URL']) || spawnSync('redis-server', ['--version']).status === 0;
}

/**
 * Returns the Redis of `REDIS_URL`, emptied, or else starts an empty Redis that leaves no files behind.
 * `durability` are the options by which the started Redis persists its data. By default nothing is persisted.
 */
export async function startRedis(
  port?: number,
  durability: readonly string[] = ['--save', ''],
): Promise<RedisServer> {
  const given = process.env['REDIS_URL'];
  if (given && port === undefined) {
    const client = new Redis(given);
    await client.flushdb();
    await client.quit();
    return { url: given, process: undefined, stop: async () => {} };
  }
  const chosen = port ?? (await freePort());
  const directory = mkdtempSync(path.join(tmpdir(), 'assay-redis-'));
  const child = spawn('redis-server', ['--port', String(chosen), ...durability, '--dir', directory], {
    stdio: 'ignore',
  });
  const url = `redis://127.0.0.1:${chosen}`;
  const client = new Redis(url, { maxRetriesPerRequest: null, retryStrategy: () => 50 });
  client.on('error', () => {});
  const ended = once(child, 'exit').then(() => Promise.reject(new Error('redis-server did not start')));
  await Promise.race([client.ping(), ended]).finally(() => client.disconnect());
  return {
    url,
    process: child,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
