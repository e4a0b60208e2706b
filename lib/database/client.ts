import { Client, type ClientConfig, type QueryResult } from 'pg';
import { BatchedQuery, type Batch } from './batched-query.ts';
import { StatementCache } from './statement-cache.ts';

type Send = (...query: unknown[]) => unknown;

export type TransactionClientConfig = ClientConfig & {
  /** How often a statement comes before the connection keeps it parsed; none is kept when left out. */
  keepsAfter?: number;
};

const STATEMENTS_MAX = 100;
const READ_ONLY = 'start transaction read only';

/**
 * A connection that spares transactions their round trips. `begin`, and the settings of the transaction that follow it,
 * are kept back and go in one message with the first statement after them. When they fail, so does that statement. A
 * transaction that ends before it has sent anything costs nothing. The end of one that could only read goes with the next
 * statement of the connection too, or by itself before the process next waits for anything: nothing hangs on it.
 *
 * Statements with parameters that come again and again can be kept parsed: what reads many partitions under row-level
 * security takes longer to plan than to run.
 */
export class TransactionClient extends Client {
  /** Statements that are to go before the next one. */
  #due: string[] = [];
  /** Where among them the transaction begins that has sent nothing yet. */
  #beginsAt: number | undefined;
  #isReadOnly = false;
  readonly #send = super.query.bind(this) as unknown as Send;
  readonly #statements: StatementCache | undefined;
  /** Names of statements that are to be forgotten with the next batch. */
  #dropped: string[] = [];

  constructor(config: TransactionClientConfig) {
    super(config);
    const { keepsAfter } = config;
    if (keepsAfter !== undefined)
      this.#statements = new StatementCache({ after: keepsAfter, most: STATEMENTS_MAX });
  }

  // The type of `query` is a dozen overloads; whoever uses one that this class does not know is passed on.
  override query = ((...query: unknown[]): unknown => {
    const [text, values] = simpleCall(query);
    const isPlain = values?.length === 0;
    if (isPlain && this.#keepsBack(text!)) return Promise.resolve(NOTHING);
    const ahead = this.#takeDue();
    if (text !== undefined && !isPlain) {
      const statement = this.#statements?.use(text, ({ name }) => this.#dropped.push(name));
      if (ahead.length > 0 || statement) return this.#sendBatch({ ahead, text, values: values!, statement });
    }
    if (ahead.length === 0) return this.#send(...query);
    if (isPlain) return this.#sendAll([...ahead, text!]);
    return this.#sendAll(ahead).then(() => this.#send(...query));
  }) as Client['query'];

  #keepsBack(text: string): boolean {
    if (text === 'begin' || text === READ_ONLY) {
      this.#beginsAt = this.#due.length;
      this.#isReadOnly = text === READ_ONLY;
    } else if (this.#beginsAt === undefined) {
      if (text !== 'commit' || !this.#isReadOnly) return false;
      setImmediate(() => this.#endReading());
    } else if (text === 'commit' || text === 'rollback') {
      this.#due.length = this.#beginsAt;
      this.#beginsAt = undefined;
      return true;
    } else if (!text.startsWith('select set_config(')) return false;
    this.#due.push(text);
    return true;
  }

  #takeDue(): string[] {
    const due = this.#due;
    if (due.length > 0) this.#due = [];
    this.#beginsAt = undefined;
    return due;
  }

  #endReading(): void {
    if (this.#due[0] !== 'commit') return;
    this.#due.shift();
    if (this.#beginsAt !== undefined) this.#beginsAt -= 1;
    // A connection that is gone has ended its transaction; who uses it next is told.
    (this.#send('commit') as Promise<unknown>).catch(() => undefined);
  }

  #sendBatch(wanted: Omit<Batch, 'dropped'>): Promise<QueryResult> {
    const batch = { ...wanted, dropped: this.#dropped };
    this.#dropped = [];
    return new Promise((resolve, reject) => {
      this.#send(
        new BatchedQuery(batch, (error, result) => {
          if (error) reject(error);
          else resolve(result as QueryResult);
        }),
      );
    });
  }

  async #sendAll(statements: readonly string[]): Promise<QueryResult> {
    const results = await (this.#send(statements.join('; ')) as Promise<QueryResult | QueryResult[]>);
    return Array.isArray(results) ? results.at(-1)! : results;
  }
}

const NOTHING = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/** Text and values of a query without a callback. */
function simpleCall([text, values = [], ...rest]: readonly unknown[]): [string?, (readonly unknown[])?] {
  return typeof text === 'string' && Array.isArray(values) && rest.length === 0 ? [text, values] : [];
}
