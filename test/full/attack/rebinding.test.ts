import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import { openGateway, type Gateway } from '#lib/ai/provider/gateway.ts';
import { networksOf } from '#lib/core/network-address.ts';
import type { Resolve } from '#lib/core/public-agent.ts';
import { openSender, type Sender } from '#lib/events/webhook/sender.ts';
import { REQUEST } from '../../support/ai-connection.ts';
import { times } from '../../support/repetitions.ts';

/**
 * An address that represents the public internet. `INSIDE` represents an address that must not be reached.
 */
const OUTSIDE = '127.0.0.8';
const INSIDE = '127.0.0.1';
const NETWORKS = `${OUTSIDE}/32`;
const TURNS = times({ usual: 10, full: 40, all: 400 });
const TIMEOUT_MS = 5_000;

type Trap = { server: Server; port: number; connections: number };

/** Notations of addresses of this machine. */
const literals = [
  '127.0.0.1',
  '127.1',
  '0x7f.1',
  '0177.0.0.1',
  '2130706433',
  '0',
  '①②⑦.⓪.⓪.①',
  '127。0。0。1',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[::127.0.0.1]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[fe80::1]',
  '[fd00:ec2::254]',
  '169.254.169.254',
  '100.100.100.200',
  '192.168.0.1',
];

/** Answers of the name server. Each contains an address that must not be reached. */
const answers = [
  [INSIDE],
  [OUTSIDE, INSIDE],
  [INSIDE, OUTSIDE],
  ['169.254.169.254'],
  ['0.0.0.0'],
  ['::1'],
  ['::'],
  ['::ffff:127.0.0.1'],
  ['::ffff:7f00:1'],
  ['::ffff:169.254.169.254'],
  ['64:ff9b::7f00:1'],
  ['fe80::1%lo'],
  ['::1%lo'],
  ['::ffff:127.0.0.1%lo'],
  [],
];

const family = (address: string) => (address.includes(':') ? 6 : 4);
const reported =
  (next: () => readonly string[]): Resolve =>
  (_name, done) =>
    done(
      null,
      next().map((address) => ({ address, family: family(address) })),
    );

describe('outgoing addresses that users configure', () => {
  let outside: Trap;
  let inside: Trap;
  /** The redirect target that the outside server sends every caller to. */
  let redirect = { status: 200, location: '' };
  const open: (Sender | Gateway)[] = [];

  before(async () => {
    outside = await listenOn(OUTSIDE);
    inside = await listenOn(INSIDE);
    outside.server.on('request', (_request, response) => {
      response.writeHead(redirect.status, { location: redirect.location }).end('{}');
    });
    inside.server.on('request', (_request, response) => response.end('{}'));
  });
  afterEach(async () => {
    await Promise.all(open.splice(0).map((each) => each.close()));
    expect(inside.connections, 'connections to what may not be reached').to.equal(0);
  });
  after(() => {
    for (const { server } of [outside, inside]) {
      server.closeAllConnections();
      server.close();
    }
  });

  async function listenOn(address: string): Promise<Trap> {
    const trap: Trap = { server: createServer(), port: 0, connections: 0 };
    trap.server.on('connection', () => (trap.connections += 1));
    trap.server.listen(0, address);
    await once(trap.server, 'listening');
    trap.port = (trap.server.address() as AddressInfo).port;
    return trap;
  }

  /**
   * Sends a webhook, and then a request of an AI connection, to the URL. Returns the outcome of each: an
   * error code, or the status of the webhook and `answered`.
   */
  async function meet(url: string, resolve?: Resolve): Promise<[string | undefined, string | undefined]> {
    const sender = openSender(networksOf(NETWORKS), { timeoutMs: TIMEOUT_MS, ...(resolve && { resolve }) });
    const gateway = openGateway({
      networks: NETWORKS,
      timeoutMs: TIMEOUT_MS,
      retryAfterMs: 1,
      ...(resolve && { resolve }),
    });
    open.push(sender, gateway);
    const { status, error } = await sender.post(url, { 'content-type': 'application/json' }, '{}');
    const outcome = await gateway.chat({ connection: 'aic_1', baseUrl: url, apiKey: 'sk-test' }, REQUEST);
    return [error ?? String(status), outcome.ok ? 'answered' : outcome.code];
  }

  it('are rejected if they denote this machine or its network, in every notation', async () => {
    for (const host of literals) {
      for (const scheme of ['http', 'https']) {
        const [webhook, provider] = await meet(`${scheme}://${host}:${inside.port}/`);
        expect(webhook, host).to.be.oneOf(['address_refused', 'url_invalid', 'url_not_https']);
        expect(provider, host).to.equal('address_refused');
      }
    }
  });

  it('are rejected if the system resolves them to this machine', async () => {
    for (const name of ['localhost', 'LOCALHOST', 'Localhost']) {
      const [webhook, provider] = await meet(`https://${name}:${inside.port}/`);
      expect([webhook, provider], name).to.deep.equal(['address_refused', 'address_refused']);
    }
  });

  it('are rejected if any address of the host name is forbidden', async () => {
    for (const addresses of answers) {
      const met = await meet(
        `https://rebind.example:${inside.port}/`,
        reported(() => addresses),
      );
      expect(met, addresses.join()).to.deep.equal(['address_refused', 'address_refused']);
    }
  });

  // The host name resolves to an outside address when the address is checked, and to an inside address when
  // the connection is opened.
  it(`never lead to an internal address if each lookup of the host name differs, in ${TURNS} attempts`, async () => {
    let lookups = 0;
    const flips = reported(() => (lookups++ % 2 ? [INSIDE] : [OUTSIDE]));
    const before = outside.connections;
    for (let turn = 0; turn < TURNS; turn++) {
      const [webhook, provider] = await meet(`https://rebind.example:${inside.port}/`, flips);
      for (const outcome of [webhook, provider]) expect(outcome).to.not.be.oneOf(['200', 'answered']);
    }
    expect(lookups).to.be.at.least(TURNS);
    expect(outside.connections, 'the port is the trap of the inside alone').to.equal(before);
  });

  it('are not called as the target of a redirect of any status', async () => {
    const targets = [
      `http://${INSIDE}:${inside.port}/`,
      `http://[::ffff:${INSIDE}]:${inside.port}/`,
      `http://localhost:${inside.port}/`,
      `//${INSIDE}:${inside.port}/`,
      'http://169.254.169.254/latest/meta-data/iam',
      'http://[fd00:ec2::254]/latest/meta-data',
      'file:///etc/passwd',
      'gopher://127.0.0.1:6379/_flushall',
    ];
    for (const status of [300, 301, 302, 303, 307, 308]) {
      for (const location of targets) {
        redirect = { status, location };
        const [webhook, provider] = await meet(`http://${OUTSIDE}:${outside.port}/`);
        expect(webhook, location).to.equal(String(status));
        expect(provider, location).to.not.equal('answered');
      }
    }
    expect(outside.connections).to.be.greaterThan(0);
  });
});
