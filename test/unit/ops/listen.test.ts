import type { Server } from 'node:http';
import { expect } from 'chai';
import Koa from 'koa';
import { createLog } from '#lib/core/log.ts';
import { listen, urlOf } from '#lib/ops/listen.ts';

describe('listen', () => {
  const log = createLog('test', 'silent');
  const servers: Server[] = [];
  const open = async (port: number | undefined, defaultPort: number) => {
    const server = await listen(new Koa(), { host: '127.0.0.1', port, defaultPort, log });
    servers.push(server);
    return Number(new URL(urlOf(server)).port);
  };
  after(() => servers.forEach((server) => server.close()));

  it('uses the next free port if the default port is in use and no port was requested', async () => {
    const taken = await open(0, 0);
    expect(await open(undefined, taken)).to.be.greaterThan(taken);
  });

  it('throws an error with the requested port if the port is in use', async () => {
    const taken = await open(0, 0);
    const error = await open(taken, 3000).catch((caught: Error) => caught);
    expect(error).to.be.instanceOf(Error);
    expect((error as Error).message).to.equal(`port ${taken} on 127.0.0.1 is already in use (EADDRINUSE)`);
  });
});
