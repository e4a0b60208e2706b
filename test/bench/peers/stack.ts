import { createHash, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import type { Cluster } from '../../support/cluster.ts';
import { startRedis, type RedisServer } from '../../support/redis.ts';
import { REDIS_DURABILITY } from '../durability.ts';
import type { Load } from '../load.ts';

/** The parts of a stack whose processor time is counted apart. PostgreSQL serves all stacks. */
export type Part = 'api' | 'worker' | 'redis';

export type Request = Omit<Load, 'clients' | 'forMs'>;

/** A running system that answers both requests of the comparison, with its processes. */
export type Stack = {
  name: string;
  database: string;
  pids: Readonly<Record<Part, readonly number[]>>;
  /** Submits a job that computes nothing, and waits for its result. */
  job: Request;
  /** Reads a job that has ended. */
  read: Request;
  stop(): Promise<void>;
};

/** The database and the Redis of a peer, and the headers of its only caller. */
export type PeerServices = {
  databaseUrl: string;
  redis: RedisServer;
  headers: { authorization: string };
};

/** Creates the database of a peer with one key, and starts its Redis with the durability of Assay's. */
export async function startPeerServices(cluster: Cluster, database: string): Promise<PeerServices> {
  const databaseUrl = await cluster.emptyDatabase(database);
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  const key = `key_${randomBytes(24).toString('hex')}`;
  const hash = createHash('sha256').update(key).digest('hex');
  try {
    await client.query(readFileSync(new URL('./schema.sql', import.meta.url), 'utf8'));
    await client.query('insert into api_key values ($1, $2, $3)', [hash, 'wsp_1', 'sandbox']);
  } finally {
    await client.end();
  }
  const redis = await startRedis(undefined, REDIS_DURABILITY);
  return { databaseUrl, redis, headers: { authorization: `Bearer ${key}` } };
}

/** Returns the process of a Redis that the bench started; none if the caller provides the Redis. */
export function redisPids({ process: child }: RedisServer): number[] {
  return child?.pid === undefined ? [] : [child.pid];
}

/** Submits one job and returns its uid. */
export async function firstJob({ url, headers }: Pick<Request, 'url' | 'headers'>): Promise<string> {
  const answer = await fetch(url, { method: 'POST', headers });
  if (answer.status !== 201) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { uid: string }).uid;
}
