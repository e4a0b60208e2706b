import { Client, type QueryResult } from 'pg';

type Send = (...query: unknown[]) => unknown;

/**
 * A connection that keeps `begin`, and the settings of the transaction that follow it, back and sends them in one
 * message with the first statement after them: that spares each transaction of a tenant two round trips. When the
 * settings fail, so does the statement behind them. Only a statement without parameters can share a message; before any
 * other, what was kept back goes out by itself. A transaction that ends before it has sent anything costs nothing.
 */
export class TransactionClient extends Client {
  /** Statements that are to go before the next one. */
  #due: string[] = [];
  readonly #send = super.query.bind(this) as unknown as Send;

  // The type of `query` is a dozen overloads; whoever uses one that this class does not know is passed on.
  override query = ((...query: unknown[]): unknown => {
    const text = plainText(query);
    if (text === 'begin' || (this.#due.length > 0 && text?.startsWith('select set_config('))) {
      this.#due.push(text);
      return Promise.resolve(NOTHING);
    }
    if (this.#due.length === 0) return this.#send(...query);
    const due = this.#due;
    this.#due = [];
    if (text === 'commit' || text === 'rollback') return Promise.resolve(NOTHING);
    if (text !== undefined) return this.#sendAll([...due, text]);
    return this.#sendAll(due).then(() => this.#send(...query));
  }) as Client['query'];

  async #sendAll(statements: readonly string[]): Promise<QueryResult> {
    const results = await (this.#send(statements.join('; ')) as Promise<QueryResult | QueryResult[]>);
    return Array.isArray(results) ? results.at(-1)! : results;
  }
}

const NOTHING = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/** The text of a query that has no parameters and no callback. */
function plainText([text, values, ...rest]: readonly unknown[]): string | undefined {
  const hasNoValues = values === undefined || (Array.isArray(values) && values.length === 0);
  return typeof text === 'string' && hasNoValues && rest.length === 0 ? text : undefined;
}
