import { expect } from 'chai';
import type { Context } from 'koa';
import Koa from 'koa';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Problem } from '#lib/core/problem.ts';
import { refuseMoved } from '#api/http/moved.ts';

const ADDRESS = 'https://cell-b.example';

/** Sends a request line to a server that refuses every request, and returns where its answer leads. */
async function leadsTo(target: string): Promise<unknown> {
  const app = new Koa();
  app.use((ctx: Context) => {
    try {
      refuseMoved(ctx, { state: 'moved', address: ADDRESS });
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      ctx.body = error.headers;
    }
  });
  const server = createServer(app.callback()).listen(0, '127.0.0.1');
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const sent = request({ port, host: '127.0.0.1', path: target, agent: false }).end();
    const [answer] = await once(sent, 'response');
    let text = '';
    for await (const part of answer) text += part;
    return (JSON.parse(text) as { Location: unknown }).Location;
  } finally {
    server.close();
  }
}

describe('the address of a workspace that has been moved', () => {
  const cases: [string, string][] = [
    ['/api/v2/workspace?x=1&y=%20', '/api/v2/workspace?x=1&y=%20'],
    ['/api/v2/workspace', '/api/v2/workspace'],
    ['http://evil.example/api/v2/workspace?x=1', '/api/v2/workspace?x=1'],
    ['//evil.example/api/v2/workspace', '//evil.example/api/v2/workspace'],
  ];
  for (const [target, place] of cases)
    it(`leads a request for ${target} to the other cell`, async () => {
      expect(await leadsTo(target)).to.equal(`${ADDRESS}${place}`);
    });
});
