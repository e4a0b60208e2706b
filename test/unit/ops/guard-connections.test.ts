import { createServer, type Server } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { guardConnections } from '#lib/ops/guard-connections.ts';
import { urlOf } from '#lib/ops/listen.ts';
import { slowed } from '../../support/patience.ts';
import { sendBytes } from '../../support/raw-answer.ts';

const REQUEST_MS = slowed(200);
const SILENT_MS = 4 * REQUEST_MS;
/** The size of a response in bytes. It exceeds the send and the receive buffer of a connection. */
const LARGE_BYTES = 32 * 1024 * 1024;

describe('guarded connections', () => {
  let server: Server;
  let url: string;
  before(async () => {
    const large = Buffer.alloc(LARGE_BYTES);
    server = createServer({
      headersTimeout: REQUEST_MS,
      requestTimeout: REQUEST_MS,
      connectionsCheckingInterval: 50,
    });
    server.on('request', (request, response) => response.end(request.url === '/large' ? large : 'here'));
    guardConnections(server, { silentMs: SILENT_MS }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = urlOf(server);
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });

  const connections = () => promisify(server.getConnections.bind(server))();

  it('are closed if the client does not read the response', async () => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.pause().write('GET /large HTTP/1.1\r\nHost: a\r\n\r\n');
    while ((await connections()) === 0) await delay(5);
    while ((await connections()) > 0) await delay(20);
    socket.destroy();
  });

  const faults: [string, string, number, string][] = [
    [
      'a request head above 16 KiB',
      `GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['a line that is not a request', 'hello\r\n\r\n', 400, 'malformed_request'],
    ['a request head without an end', 'GET / HTTP/1.1\r\nHost: a\r\n', 408, 'request_timeout'],
  ];
  for (const [about, bytes, status, code] of faults) {
    it(`answer ${about} with the problem ${code}`, async () => {
      const answer = await sendBytes({ url }, bytes);
      expect(answer.status).to.equal(status);
      expect(answer.headers).to.include({ 'content-type': 'application/problem+json', connection: 'close' });
      const body = JSON.parse(answer.body);
      expect(body).to.include({ status, code, type: `/problems/${code}` });
      expect(body.request_id).to.equal(answer.headers['x-request-id']);
    });
  }

  it('are still served after a fault on another connection', async () => {
    expect(await (await fetch(url)).text()).to.equal('here');
  });
});
