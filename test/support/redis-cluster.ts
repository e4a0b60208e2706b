import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { slowed } from './patience.ts';
import { freePort } from './redis.ts';
import { eventually } from './runs.ts';
import { kill, type Server } from './sentinel.ts';

/** A Redis Cluster of three masters, with a replica of the master that holds the queue. */
export type RedisCluster = {
  /** The `REDIS_URL`. Only its first node has the password. */
  url: string;
  masters: readonly Server[];
  /** The master that holds the queue. */
  holder: Server;
  replica: Server;
  /** Returns a client of one node. The caller disconnects it. */
  client(server: Server): Redis;
  stop(): Promise<void>;
};

const PASSWORD = 'password-of-the-nodes';
const MASTERS = 3;
/** How long a node may be silent before the others call it down, in milliseconds. */
const DOWN_MS = 1_000;
/** How long a node may take to start, in milliseconds. */
const START_MS = slowed(20_000);
/** A key of the queue. All its keys are in one slot. */
const QUEUE_KEY = '{assay}';

/** Starts a cluster on loopback ports, with a password. `portOf` chooses the ports. */
export async function startRedisCluster(portOf = freePort): Promise<RedisCluster> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-cluster-'));
  const started: Server[] = [];
  const stop = async () => {
    for (const node of started) await kill(node.process);
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    for (let node = 0; node <= MASTERS; node++) {
      const server = await spawnNode(folder, portOf);
      started.push(server);
      await isUp(server);
    }
    const masters = started.slice(0, MASTERS);
    const replica = started[MASTERS]!;
    const addresses = started.map(({ port }) => `127.0.0.1:${port}`);
    administer('create', ...addresses.slice(0, MASTERS), '--cluster-yes');
    await eventually(() => isWhole(masters));
    const holder = await holderOf(masters);
    const [id] = await answersOf([holder], ['cluster', 'myid']);
    administer('add-node', addresses[MASTERS]!, addresses[0]!, '--cluster-slave', '--cluster-master-id', id!);
    await eventually(async () => (await answersOf([replica], INFO))[0]!.includes('master_link_status:up'));
    await eventually(() => isWhole(started));
    const others = addresses.slice(1, MASTERS).map((address) => `redis://${address}`);
    return {
      url: [`redis://:${PASSWORD}@${addresses[0]}`, ...others].join(','),
      ...{ masters, holder, replica, client: clientOf, stop },
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const INFO = ['info', 'replication'] as const;

async function spawnNode(folder: string, portOf: () => Promise<number>): Promise<Server> {
  const port = await portOf();
  const options = {
    ...{ port, bind: '127.0.0.1', dir: folder, save: '' },
    // The default port of the cluster bus is the port + 10,000, which may exceed the highest port number.
    ...{ 'cluster-enabled': 'yes', 'cluster-config-file': `${port}.conf`, 'cluster-port': await portOf() },
    ...{ 'cluster-node-timeout': DOWN_MS, requirepass: PASSWORD, masterauth: PASSWORD },
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return { port, process: spawn('redis-server', words, { stdio: 'ignore' }) };
}

/** Waits until a node answers. Throws if its process ends or cannot be started, or if it is silent for too long. */
async function isUp(server: Server): Promise<void> {
  const client = clientOf(server);
  const settled = new AbortController();
  const { signal } = settled;
  const fails = async (wait: Promise<unknown>, what: string): Promise<never> => {
    await wait;
    throw new Error(`the Redis node on port ${server.port} ${what}`);
  };
  try {
    await Promise.race([
      client.ping(),
      fails(once(server.process, 'exit', { signal }), 'did not start'),
      fails(delay(START_MS, undefined, { signal }), 'does not answer'),
    ]);
  } finally {
    settled.abort();
    client.disconnect();
  }
}

/** Runs a command of `redis-cli --cluster`. */
function administer(...words: string[]): void {
  const env = { ...process.env, REDISCLI_AUTH: PASSWORD };
  execFileSync('redis-cli', ['--cluster', ...words], { stdio: 'ignore', env });
}

async function isWhole(nodes: readonly Server[]): Promise<boolean> {
  const states = await answersOf(nodes, ['cluster', 'info']);
  return states.every((state) => state.includes('cluster_state:ok'));
}

/** Returns the node that holds the queue: every other node refuses to read its keys. */
async function holderOf(nodes: readonly Server[]): Promise<Server> {
  for (const node of nodes) {
    const client = clientOf(node);
    const isHolder = await client.exists(QUEUE_KEY).then(
      () => true,
      () => false,
    );
    client.disconnect();
    if (isHolder) return node;
  }
  throw new Error('no node holds the queue');
}

async function answersOf(nodes: readonly Server[], [name, ...words]: readonly string[]): Promise<string[]> {
  return Promise.all(
    nodes.map(async (node) => {
      const client = clientOf(node);
      return String(await client.call(name!, ...words).finally(() => client.disconnect()));
    }),
  );
}

function clientOf({ port }: Server): Redis {
  const client = new Redis(port, '127.0.0.1', {
    password: PASSWORD,
    maxRetriesPerRequest: null,
    retryStrategy: () => 50,
  });
  client.on('error', () => {});
  return client;
}
