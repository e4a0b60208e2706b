import { ENDS, openPostgresProxy, READY, type PostgresProxy } from './postgres-proxy.ts';

/**
 * Statements that open and close a transaction. The count depends on the client's messages, not on the state
 * that the server reports. Two statements that are sent together are therefore counted in the same way,
 * whether or not the first is answered before the second arrives.
 */
const OPENS = /(^|; )(begin|start transaction)/;
const CLOSES = /(^|; )(commit|rollback)(;|$)/;
const ENDS_CLOSED = /(^|; )(commit|rollback)$/;

export type DroppingProxy = PostgresProxy & {
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
};

/**
 * Starts a proxy between a client and PostgreSQL that cuts a connection after the n-th statement of a
 * transaction. The server has executed the statement, but the client never receives the answer. A transaction
 * that is still open is rolled back. If the n-th statement was the commit, the transaction is committed. A
 * power failure of the client at that point has the same effect.
 */
export async function droppingProxy(target: string): Promise<DroppingProxy> {
  const plan: { left: number; dropped: string | undefined } = { left: Infinity, dropped: undefined };
  const proxy = await openPostgresProxy(target, (cut) => {
    // The database also answers the start of a session with ReadyForQuery. The count of sent messages
    // therefore begins at 1.
    const session = { statements: [] as string[], isInside: false, sent: 1, answered: 0, doomedAt: Infinity };
    return {
      requested(type, body) {
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
      },
      answered(type) {
        if (type === READY && ++session.answered === session.doomedAt) cut();
      },
      forwards: () => session.doomedAt === Infinity,
    };
  });
  return {
    ...proxy,
    dropAfter: (statement) => Object.assign(plan, { left: statement, dropped: undefined }),
    disarm() {
      plan.left = Infinity;
      return plan.dropped;
    },
  };
}

/** Returns the SQL of a query, or of a Parse message after the name of its statement. */
function textOf(type: string, body: Buffer): string {
  const texts = body.toString('utf8').split('\0');
  return texts[type === 'Q' ? 0 : 1]!;
}
