import { once } from 'node:events';
import type { Server } from 'node:http';
import { request } from 'node:http';
import { expect } from 'chai';
import { createOps } from '#api/process/ops.ts';
import { createLog } from '#lib/core/log.ts';
import { listen, urlOf } from '#lib/ops/listen.ts';

const PASSWORD = 'ops-password-of-tests';

describe('the queue dashboard', () => {
  let server: Server;
  beforeEach(async () => {
    server = await listen(createOps([], [], { password: PASSWORD, rateFactor: 1 }), {
      host: '127.0.0.1',
      port: 0,
      defaultPort: 0,
      log: createLog('test', 'silent'),
    });
  });
  afterEach(() => {
    server.closeAllConnections();
    server.close();
  });

  type DashboardRequest = {
    password?: string;
    method?: string;
    headers?: Record<string, string>;
    from?: string;
  };

  /** Sends a request with the given headers and local address. `fetch` cannot set these. */
  async function ask({ password, method = 'GET', headers = {}, from = '127.0.0.1' }: DashboardRequest) {
    const authorization = `Basic ${Buffer.from(`ops:${password}`).toString('base64')}`;
    const sent = request(`${urlOf(server)}/queues/api/queues`, {
      method,
      localAddress: from,
      agent: false,
      headers: { ...(password === undefined ? {} : { authorization }), ...headers },
    });
    sent.end();
    const [response] = (await once(sent, 'response')) as [import('node:http').IncomingMessage];
    response.resume();
    return { status: response.statusCode, retryAfter: response.headers['retry-after'] };
  }

  it('rejects even the correct password from an address with ten wrong passwords in a minute', async () => {
    const answers = await Promise.all(Array.from({ length: 200 }, () => ask({ password: 'wrong' })));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401)).to.have.lengthOf(10);
    expect(statuses.filter((status) => status === 429)).to.have.lengthOf(190);
    const right = await ask({ password: PASSWORD });
    expect(right.status).to.equal(429);
    expect(Number(right.retryAfter)).to.be.within(1, 6);
    expect((await ask({ password: PASSWORD, from: '127.0.0.2' })).status).to.equal(200);
  });

  it('answers a request without a password with 401, and does not count the request as a wrong password', async () => {
    for (let at = 0; at < 30; at += 1) expect((await ask({})).status).to.equal(401);
    expect((await ask({ password: PASSWORD })).status).to.equal(200);
  });

  for (const [what, headers] of Object.entries({
    'the origin of another site': { origin: 'https://evil.example' },
    'the origin of another port': { origin: 'http://127.0.0.1:1' },
    'an origin without a name': { origin: 'null' },
    'the origin of another site, with a false same-origin header': {
      origin: 'https://evil.example',
      'sec-fetch-site': 'same-origin',
    },
    'another site': { 'sec-fetch-site': 'cross-site' },
    'another subdomain of the same site': { 'sec-fetch-site': 'same-site' },
    'a site with an unknown value of sec-fetch-site': { 'sec-fetch-site': 'elsewhere' },
  })) {
    it(`allows no change from ${what}`, async () => {
      for (const method of ['PUT', 'POST', 'DELETE', 'PATCH'])
        expect((await ask({ password: PASSWORD, method, headers })).status, method).to.equal(403);
    });
  }

  it('allows changes from its own page and from programs without an origin', async () => {
    const own = { origin: urlOf(server), 'sec-fetch-site': 'same-origin' };
    for (const headers of [own, { origin: urlOf(server) }, {}])
      expect((await ask({ password: PASSWORD, method: 'PUT', headers })).status).to.not.be.oneOf([403, 401]);
  });
});
