import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** The codes of first messages that do not start a session, such as a request for TLS. */
const REQUEST_CODES = new Set([80877102, 80877103, 80877104]);

/**
 * Messages that the server answers with ReadyForQuery: Query of the simple protocol, and Sync of the extended
 * protocol.
 */
const ENDS = new Set(['Q', 'S']);

/**
 * Statements that open and close a transaction. The count depends on the client's messages, not on the state
 * that the server reports. Two statements that are sent together are therefore counted in the same way,
 * whether or not the first is answered before the second arrives.
 */
const OPENS = /(^|; )(begin|start transaction)/;
const CLOSES = /(^|; )(commit|rollback)(;|$)/;
const ENDS_CLOSED = /(^|; )(commit|rollback)$/;

export type DroppingProxy = {
  /** Returns a database URL that leads through the proxy. */
  through(url: string): string;
  /**
   * Starts counting the statements that are sent in transactions. The proxy cuts the connection after the
   * server has executed the n-th statement.
   */
  dropAfter(statement: number): void;
  /**
   * Stops counting. Returns the statement after which the connection was cut, or undefined if there were
   * fewer statements.
   */
  disarm(): string | undefined;
  close(): Promise<void>;
};

/**
 * Starts a proxy between a client and PostgreSQL that cuts a connection after the n-th statement of a
 * transaction. The server has executed the statement, but the client never receives the answer. A transaction
 * that is still open is rolled back. If the n-th statement was the commit, the transaction is committed. A
 * power failure of the client at that point has the same effect. The proxy does not support TLS.
 */
export async function droppingProxy(target: string): Promise<DroppingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const plan: { left: number; dropped: string | undefined } = { left: Infinity, dropped: undefined };
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    // The database also answers the start of a session with ReadyForQuery. The count of sent messages
    // therefore begins at 1.
    const session = { statements: [] as string[], isInside: false, sent: 1, answered: 0, doomedAt: Infinity };
    const cut = () => {
      for (const socket of [client, upstream]) socket.destroy();
    };
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', cut).once('close', () => (sockets.delete(socket), cut()));
    }
    const requested = framesOf(true, (type, body) => {
      if (type === 'Q' || type === 'P') session.statements.push(textOf(type, body));
      if (!ENDS.has(type)) return;
      session.sent++;
      const statement = session.statements.splice(0).join('; ');
      const isOpening = OPENS.test(statement);
      const isCounted = session.isInside || isOpening;
      session.isInside = isOpening
        ? !ENDS_CLOSED.test(statement)
        : session.isInside && !CLOSES.test(statement);
      if (!isCounted || --plan.left > 0 || plan.dropped !== undefined) return;
      plan.dropped = statement;
      session.doomedAt = session.sent;
    });
    const answered = framesOf(false, (type) => {
      if (type === 'Z' && ++session.answered === session.doomedAt) cut();
    });
    client.on('data', (chunk: Buffer) => (requested(chunk), upstream.write(chunk)));
    upstream.on('data', (chunk: Buffer) => {
      answered(chunk);
      if (session.doomedAt === Infinity) client.write(chunk);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    through(url) {
      const parsed = new URL(url);
      parsed.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
      return parsed.href;
    },
    dropAfter: (statement) => Object.assign(plan, { left: statement, dropped: undefined }),
    disarm() {
      plan.left = Infinity;
      return plan.dropped;
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

/**
 * Splits a stream into messages: a type of one byte, except for the first message of a client, and a length
 * that includes its own four bytes.
 */
function framesOf(isClient: boolean, take: (type: string, body: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isFirst = isClient;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isFirst ? 0 : 1;
      if (rest.length < head + 4) return;
      const end = head + rest.readUInt32BE(head);
      if (rest.length < end) return;
      const body = rest.subarray(head + 4, end);
      if (!isFirst) take(rest.toString('latin1', 0, 1), body);
      else if (REQUEST_CODES.has(body.readUInt32BE(0)))
        throw new Error('the proxy speaks plain sessions only');
      isFirst = false;
      rest = rest.subarray(end);
    }
  };
}

/** Returns the SQL of a query, or of a Parse message after the name of its statement. */
function textOf(type: string, body: Buffer): string {
  const texts = body.toString('utf8').split('\0');
  return texts[type === 'Q' ? 0 : 1]!;
}
