import { Client, type QueryResult } from 'pg';

type Sent = QueryResult | QueryResult[];
type Send = (text: string, values?: readonly unknown[]) => Promise<Sent>;

/**
 * A connection that keeps `begin` back and sends it in one message with the statement that follows, which spares each
 * transaction a round trip. Only a statement without parameters can share a message; before any other, `begin` goes
 * out by itself. A transaction that ends before it has sent anything costs nothing.
 */
export class TransactionClient extends Client {
  #isBeginDue = false;
  readonly #send = super.query.bind(this) as unknown as Send;

  // The type of `query` is a dozen overloads; whoever uses one that this class does not know is passed on.
  override query = ((text: unknown, values?: unknown, ...rest: unknown[]): unknown => {
    const isPlain = typeof text === 'string' && typeof values !== 'function' && rest.length === 0;
    if (isPlain && text === 'begin') {
      this.#isBeginDue = true;
      return Promise.resolve(NOTHING);
    }
    if (!this.#isBeginDue) return (this.#send as (...all: unknown[]) => unknown)(text, values, ...rest);
    this.#isBeginDue = false;
    if (text === 'commit' || text === 'rollback') return Promise.resolve(NOTHING);
    if (!isPlain || (Array.isArray(values) && values.length > 0)) {
      return this.#send('begin').then(() =>
        (this.#send as (...all: unknown[]) => Promise<Sent>)(text, values, ...rest),
      );
    }
    return this.#send(`begin; ${text}`).then((results) => (results as QueryResult[]).at(-1));
  }) as Client['query'];
}

const NOTHING = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };
