import { expect } from 'chai';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { networksOf } from '#lib/core/network-address.ts';
import type { Resolve } from '#lib/core/public-agent.ts';
import { openSender } from '#lib/events/webhook/sender.ts';
import { slowed } from '../../support/patience.ts';
import { loopback, openReceiver, type Receiver } from '../../support/webhook.ts';

describe('the sender of requests to a URL that a user configured', () => {
  let receiver: Receiver;
  beforeEach(async () => (receiver = await openReceiver()));
  afterEach(() => receiver.close());

  const post = async (url: string, networks = loopback, options: Parameters<typeof openSender>[1] = {}) => {
    const sender = openSender(networks, options);
    try {
      return await sender.post(url, { 'content-type': 'application/json' }, '{}');
    } finally {
      await sender.close();
    }
  };

  it('returns the status, the Retry-After header and at most 500 printable characters of the response', async () => {
    receiver.answer = () => ({
      status: 429,
      headers: { 'retry-after': '7' },
      body: `wait\n\u001b[31m${'x'.repeat(9_999)}`,
    });
    const sent = await post(receiver.url);
    expect(sent).to.include({ status: 429, retryAfterMs: 7_000 });
    expect(sent.excerpt)
      .to.match(/^wait \[31mx+$/)
      .and.to.have.lengthOf.at.most(500);
  });

  it('returns the status of a redirect without following the redirect', async () => {
    receiver.answer = () => ({ status: 302, headers: { location: receiver.url } });
    expect((await post(receiver.url)).status).to.equal(302);
    expect(receiver.received).to.have.lengthOf(1);
  });

  it('returns the error timeout if the receiver does not respond within the time limit', async () => {
    receiver.answer = () => new Promise(() => {});
    expect((await post(receiver.url, loopback, { timeoutMs: slowed(100) })).error).to.equal('timeout');
  });

  it('makes no connection to an address that is not public', async () => {
    expect((await post(receiver.url, networksOf(''))).error).to.equal('address_refused');
    expect(receiver.received).to.deep.equal([]);
  });

  // A host name can resolve to another address in a second query, so the sender must connect to the address
  // that it checked.
  describe('with a host name in the URL', () => {
    let port: number;
    let connections = 0;
    const server = createServer((socket) => {
      connections += 1;
      socket.destroy();
    });
    before(async () => {
      server.listen(0, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as AddressInfo).port;
    });
    after(() => new Promise((closed) => server.close(closed)));
    beforeEach(() => (connections = 0));

    const standingFor = (...answers: string[][]) => {
      const requested = { count: 0 };
      const resolve: Resolve = (_name, done) => {
        const addresses = answers[Math.min(requested.count++, answers.length - 1)]!;
        done(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      };
      return { requested, resolve };
    };

    it('resolves the name once and connects to the checked address', async () => {
      const { requested, resolve } = standingFor(['127.0.0.1'], ['10.0.0.1']);
      const { error } = await post(`https://hook.test:${port}/`, loopback, { resolve });
      expect(error).to.be.a('string').and.not.to.equal('address_refused');
      expect({ connections, ...requested }).to.deep.equal({ connections: 1, count: 1 });
    });

    for (const addresses of [['127.0.0.1'], ['8.8.8.8', '127.0.0.1'], ['::ffff:127.0.0.1'], []]) {
      it(`makes no connection if the name resolves to ${addresses.join(' and ') || 'nothing'}`, async () => {
        const { resolve } = standingFor(addresses);
        const { error } = await post(`https://hook.test:${port}/`, networksOf(''), { resolve });
        expect(error).to.equal('address_refused');
        expect(connections).to.equal(0);
      });
    }
  });
});
