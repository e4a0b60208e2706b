import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The messages after which the server reports that it is ready: Query, and Sync of the extended protocol. */
const ENDS = new Set(['Q', 'S']);
const READY = 'Z';

/** The number of characters of a statement that are kept. */
const SHOWN = 90;

export type RoundTrip = { user: string; statements: string[] };

export type CountingProxy = {
  /** Returns a database URL that leads through the proxy. */
  through(url: string): string;
  /** Returns the round trips since the start: the user of the session, and the beginning of each statement. */
  roundTrips(): readonly RoundTrip[];
  close(): Promise<void>;
};

/**
 * Starts a proxy between clients and PostgreSQL that counts round trips. A client starts a round trip when it sends a
 * statement while the server has answered all its earlier statements. Statements that are sent together are one round
 * trip. The start of a session is not counted. The proxy does not support TLS.
 */
export async function countingProxy(target: string): Promise<CountingProxy> {
  const { hostname, port } = new URL(target);
  const trips: RoundTrip[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const session = { user: '', open: 0, texts: [] as string[], named: new Map<string, string>() };
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      const end = () => [client, upstream].forEach((each) => each.destroy());
      socket.on('error', end).once('close', () => (sockets.delete(socket), end()));
    }
    const requested = framesOf(true, (type, body) => {
      if (type === '') session.user = userOf(body);
      const [first = '', second = ''] = body.toString('utf8').split('\0', 2);
      if (type === 'P') session.named.set(first, second);
      if (type === 'B') session.texts.push(session.named.get(second) ?? '');
      if (type === 'Q') session.texts.push(first);
      if (!ENDS.has(type)) return;
      const sent = session.texts.splice(0).map((text) => text.replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN));
      if (session.open === 0) trips.push({ user: session.user, statements: sent });
      else trips.findLast(({ user }) => user === session.user)!.statements.push(...sent);
      session.open += 1;
    });
    const answered = framesOf(false, (type) => {
      if (type === READY && session.open > 0) session.open -= 1;
    });
    client.on('data', (chunk: Buffer) => (requested(chunk), upstream.write(chunk)));
    upstream.on('data', (chunk: Buffer) => (answered(chunk), client.write(chunk)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    through(url) {
      const parsed = new URL(url);
      parsed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return parsed.href;
    },
    roundTrips: () => trips,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/** Splits a stream into messages. The first message of a client has no type and is reported with an empty type. */
function framesOf(isClient: boolean, take: (type: string, body: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = isClient;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      take(isFirst ? '' : rest.toString('latin1', 0, 1), rest.subarray(head + 4, end));
      isFirst = false;
      rest = rest.subarray(end);
    }
  };
}

/** Returns the user of a first message, whose parameters are texts that end with a zero byte. */
function userOf(body: Buffer): string {
  const texts = body.subarray(4).toString('utf8').split('\0');
  return texts[texts.indexOf('user') + 1] ?? '';
}
