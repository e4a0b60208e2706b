import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { Redis } from 'ioredis';
import { backendNames, startBackend, type Backend } from '../support/backends.ts';
import { buildTenancy } from '../support/build.ts';
import { clientOf } from '../support/client.ts';
import { expectSealedOnce } from '../support/fault-table.ts';
import { importTiny } from '../support/import.ts';
import { submitUntilAccepted } from '../support/load.ts';
import { freePort } from '../support/redis.ts';
import { eventually } from '../support/runs.ts';

const NODES = 3;
const RUNS = 30;

(backendNames.includes('redis') ? describe : describe.skip)('A Redis Cluster of three nodes', () => {
  let folder: string;
  let nodes: { port: number; process: ChildProcess }[];
  let live: Backend;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'assay-cluster-'));
    nodes = [];
    for (let node = 0; node < NODES; node++) nodes.push(await startNode(folder));
    const addresses = nodes.map(({ port }) => `127.0.0.1:${port}`);
    execFileSync('redis-cli', ['--cluster', 'create', ...addresses, '--cluster-yes'], { stdio: 'ignore' });
    await eventually(async () => {
      const states = await Promise.all(nodes.map(({ port }) => ask(port, 'cluster', 'info')));
      return states.every((state) => state.includes('cluster_state:ok'));
    });
    const REDIS_URL = addresses.map((address) => `redis://${address}`).join(',');
    live = await startBackend('postgres', 'assay_test_cluster', { REDIS_URL });
  });
  after(async () => {
    await live?.stop();
    for (const { process } of nodes) {
      process.kill('SIGKILL');
      await once(process, 'exit');
    }
    await rm(folder, { recursive: true });
  });

  it('holds the queue with all its keys in one slot', async () => {
    const tenancy = await buildTenancy(live);
    await importTiny(live, tenancy.workspace);
    const client = clientOf(live, tenancy.key);
    const uids: string[] = [];
    for (let run = 0; run < RUNS; run++) uids.push((await submitUntilAccepted(client)).uid);
    await expectSealedOnce(live, 'none, on a Redis Cluster', tenancy.workspace, uids);

    const clients = nodes.map(({ port }) => new Redis(port, '127.0.0.1'));
    const keys = (await Promise.all(clients.map((each) => each.keys('*')))).flat();
    const slots = new Set(await Promise.all(keys.map((key) => clients[0]!.cluster('KEYSLOT', key))));
    for (const each of clients) each.disconnect();
    expect(keys.some((key) => key.startsWith('{assay}:numerics:'))).to.equal(true);
    expect(slots.size).to.equal(1);
  });
});

async function startNode(folder: string): Promise<{ port: number; process: ChildProcess }> {
  const port = await freePort();
  const options = { port, 'cluster-enabled': 'yes', 'cluster-config-file': `${port}.conf`, dir: folder };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  // The default port of the cluster bus is the port + 10,000, which may exceed the highest port number.
  const bus = ['--cluster-port', String(await freePort()), '--save', ''];
  const process = spawn('redis-server', [...words, ...bus], { stdio: 'ignore' });
  await eventually(async () => (await ask(port, 'ping').catch(() => '')) === 'PONG');
  return { port, process };
}

async function ask(port: number, ...words: [string, ...string[]]): Promise<string> {
  const client = new Redis(port, '127.0.0.1', { lazyConnect: true, retryStrategy: () => null });
  client.on('error', () => {});
  try {
    await client.connect();
    return String(await client.call(...words));
  } finally {
    client.disconnect();
  }
}
