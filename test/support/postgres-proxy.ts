import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The codes of first messages that do not start a session, such as a request for TLS. */
const REQUEST_CODES = new Set([80877102, 80877103, 80877104]);

/**
 * Messages that the server answers with ReadyForQuery: Query of the simple protocol, and Sync of the extended protocol.
 */
export const ENDS = new Set(['Q', 'S']);

/** The type of the message ReadyForQuery. */
export const READY = 'Z';

/** Takes one message: its type, which is empty for the first message of a client, and its body. */
export type TakeMessage = (type: string, body: Buffer) => void;

/** A session through a proxy. `forwards` is whether answers of the server still reach the client; default: always. */
export type Watcher = { requested: TakeMessage; answered: TakeMessage; forwards?(): boolean };

export type PostgresProxy = {
  /** Returns a database URL that leads through the proxy. */
  through(url: string): string;
  close(): Promise<void>;
};

/**
 * Starts a proxy between clients and PostgreSQL that shows every message of a session to a watcher. `watch` gets a
 * function that cuts the session. The proxy does not support TLS.
 */
export async function openPostgresProxy(
  target: string,
  watch: (cut: () => void) => Watcher,
): Promise<PostgresProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    const cut = () => {
      for (const socket of [client, upstream]) socket.destroy();
    };
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', cut).once('close', () => (sockets.delete(socket), cut()));
    }
    const watcher = watch(cut);
    const requested = messagesOf(true, watcher.requested);
    const answered = messagesOf(false, watcher.answered);
    client.on('data', (chunk: Buffer) => (requested(chunk), upstream.write(chunk)));
    upstream.on('data', (chunk: Buffer) => {
      answered(chunk);
      if (watcher.forwards?.() ?? true) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    through(url) {
      const parsed = new URL(url);
      parsed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return parsed.href;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/**
 * Splits a stream into messages: a type of one byte, except for the first message of a client, and a length that
 * includes its own four bytes.
 */
function messagesOf(isClient: boolean, take: TakeMessage): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = isClient;
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      const body = rest.subarray(head + 4, end);
      if (isFirst && REQUEST_CODES.has(body.readUInt32BE(0)))
        throw new Error('the proxy speaks plain sessions only');
      take(isFirst ? '' : rest.toString('latin1', 0, 1), body);
      isFirst = false;
      rest = rest.subarray(end);
    }
  };
}
