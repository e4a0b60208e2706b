import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, connect, type Server } from 'node:net';
import { backendNames } from '../support/backends.ts';
import { startRedisCluster } from '../support/redis-cluster.ts';
import { freePort } from '../support/redis.ts';

(backendNames.includes('redis') ? describe : describe.skip)('the start of a Redis Cluster', () => {
  let other: Server;

  before(async () => {
    other = createServer((socket) => socket.on('error', () => {})).listen(0, '127.0.0.1');
    await once(other, 'listening');
  });
  after(() => other.close());

  it('fails if another process has a port of a node, and leaves no node behind', async () => {
    const { port: taken } = other.address() as { port: number };
    const chosen: number[] = [];
    // Each node has a port for clients and a port for the other nodes.
    const portOf = async () => {
      const port = chosen.length === 4 ? taken : await freePort();
      chosen.push(port);
      return port;
    };
    const error = await startRedisCluster(portOf).then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message).to.equal(`the Redis node on port ${taken} did not start`);
    for (const port of chosen.slice(0, 4)) expect(await answers(port), `port ${port}`).to.equal(false);
  });
});

/** Returns whether a process listens on a port. */
async function answers(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  const isOpen = await once(socket, 'connect').then(
    () => true,
    () => false,
  );
  socket.destroy();
  return isOpen;
}
