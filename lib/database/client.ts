import type { Client, QueryResult } from 'pg';
import type { Statement } from '#lib/core/confirmation.ts';
import { DEFERRED } from './base.ts';
import { GroupedQuery, type Around, type Bound } from './grouped-query.ts';
import { PrimaryClient, ServerReadOnly, type PrimaryClientConfig } from './primary-client.ts';
import { StatementCache, STALE_CODES } from './statement-cache.ts';

type Send = (...query: unknown[]) => Promise<QueryResult | QueryResult[]>;

export type TransactionClientConfig = PrimaryClientConfig & {
  /** The number of uses after which the connection keeps a statement prepared. Default: never. */
  keepsAfter?: number;
};

const STATEMENTS_MAX = 100;
const READ_ONLY = 'start transaction read only';
const SETTING = 'select set_config(';
const LOCAL = 'set local ';

/** A transaction of one statement. `settings` hold for this transaction only. */
export type SingleStatement = Statement & {
  settings: Readonly<Record<string, string>>;
  isReadOnly: boolean;
};

/** Matches a setting of a transaction in the form that MikroORM writes, if the value has no backslash. */
const SET_CONFIG = /set_config\('([a-z_.]+)', ('(?:[^'\\]|'')*'), true\)/g;
const SETTINGS = new RegExp(`^select ${SET_CONFIG.source}(?:, ${SET_CONFIG.source})*$`);

/** SQLSTATE code of the error of a write in a read-only transaction. */
const READ_ONLY_TRANSACTION = '25006';

/**
 * A connection in the driver's pipeline mode, which saves round trips. `begin` and the transaction's settings
 * are delayed and sent together with the first statement. For a transaction that ends before its first
 * statement, nothing is sent. The end of a read-only transaction is sent with the connection's next
 * statement, or in the next turn of the event loop.
 *
 * If `begin` or a setting fails, PostgreSQL skips the first statement, and the caller gets the error. The statement
 * can therefore never run outside its transaction.
 *
 * A statement whose text begins with `DEFERRED` is held until the next statement of its transaction, which may be
 * `commit`, and is sent with it. Its error is the error of that statement. The caller does not get its rows.
 *
 * Frequent statements with parameters are prepared once: planning a read of many partitions under row-level
 * security takes longer than running it.
 */
export class TransactionClient extends PrimaryClient {
  /** The delayed statements, which are sent before the next statement. */
  #due: (string | Bound)[] = [];
  /** The position in `#due` of the `begin` of a transaction that has sent no statement yet. */
  #beginsAt: number | undefined;
  #isReadOnly = false;
  /** Whether a transaction has begun and not ended. */
  #isOpen = false;
  readonly #send = super.query.bind(this) as unknown as Send;
  readonly #statements: StatementCache | undefined;

  constructor(config: TransactionClientConfig) {
    super(config);
    const { keepsAfter } = config;
    if (keepsAfter !== undefined)
      this.#statements = new StatementCache({ after: keepsAfter, max: STATEMENTS_MAX });
  }

  // `Client['query']` has a dozen overloads, so the function is cast to this type. A call with a text and optional
  // values is handled here. Other calls, such as streams, are passed on unchanged.
  override query = ((...query: unknown[]): unknown => {
    const [text, values] = simpleCall(query);
    const isPlain = values?.length === 0;
    if (isPlain && this.#holdsBack(text!)) return Promise.resolve(NOTHING);
    if (text?.startsWith(DEFERRED)) return this.#defer(text.slice(DEFERRED.length), values!);
    const before = this.#takeDue();
    if (isPlain && before.every(isText)) return this.#sendAll([...before, text!]);
    if (text !== undefined) return this.#sendGrouped(text, values!, { before, after: [] });
    // Streams take over the connection once they have been sent, so no other statement may be in progress.
    return before.length === 0
      ? this.#send(...query)
      : this.#sendGrouped('select', [], { before, after: [] }).then(() => this.#send(...query));
  }) as Client['query'];

  /**
   * Runs a transaction of one statement in one round trip. If the statement fails, the transaction is rolled back and
   * the error is thrown.
   */
  async transact({ text, values, settings, isReadOnly }: SingleStatement): Promise<QueryResult> {
    const set = Object.entries(settings).map(
      ([name, value]) => `${LOCAL}${name} = ${this.escapeLiteral(value)}`,
    );
    const before = [...this.#takeDue(), isReadOnly ? READ_ONLY : 'begin', ...set];
    try {
      return await this.#sendGrouped(text, values, { before, after: ['commit'] });
    } catch (error) {
      await this.#send('rollback').catch(() => undefined);
      throw error;
    }
  }

  /**
   * Runs a statement after its guard, which sets the settings of the transaction and makes it read-only. Statements that
   * are sent up to one point of synchronisation are one transaction without `begin` and `commit`, and if the guard fails,
   * PostgreSQL skips the statement.
   */
  guarded({ text, values }: Statement, guard: Statement): Promise<QueryResult> {
    const before = [...this.#takeDue(), this.#bound(guard.text, guard.values)];
    return this.#sendGrouped(text, values, { before, after: [] }, { isReadOnly: true });
  }

  #defer(text: string, values: readonly unknown[]): Promise<unknown> {
    if (!this.#isOpen) return this.#sendGrouped(text, values, { before: this.#takeDue(), after: [] });
    this.#due.push(this.#bound(text, values));
    return Promise.resolve(NOTHING);
  }

  #holdsBack(text: string): boolean {
    const isEnd = text === 'commit' || text === 'rollback';
    if (isEnd) this.#isOpen = false;
    if (text === 'rollback') this.#due = this.#due.filter(isText);
    if (text === 'commit' && !this.#due.every(isText)) return false;
    if (text === 'begin' || text === READ_ONLY) {
      this.#isOpen = true;
      this.#beginsAt = this.#due.length;
      this.#isReadOnly = text === READ_ONLY;
    } else if (this.#beginsAt === undefined) {
      if (text !== 'commit' || !this.#isReadOnly) return false;
      setImmediate(() => this.#endReading());
    } else if (isEnd) {
      this.#due.length = this.#beginsAt;
      this.#beginsAt = undefined;
      return true;
    } else if (!text.startsWith(SETTING)) return false;
    this.#due.push(...localSettings(text));
    return true;
  }

  #takeDue(): (string | Bound)[] {
    const due = this.#due;
    if (due.length > 0) this.#due = [];
    this.#beginsAt = undefined;
    return due;
  }

  #endReading(): void {
    if (this.#due[0] !== 'commit') return;
    this.#due.shift();
    if (this.#beginsAt !== undefined) this.#beginsAt -= 1;
    // If the connection is lost, the transaction has ended with it. The next statement on the connection
    // reports the loss.
    this.#send('commit').catch(() => undefined);
  }

  #bound(text: string, values: readonly unknown[]): Bound {
    const name = values.length === 0 ? undefined : this.#statements?.use(text);
    return { text, values, ...(name !== undefined && { name }) };
  }

  /** Sends a statement together with others. Throws the first error. */
  #sendGrouped(
    text: string,
    values: readonly unknown[],
    around: Around,
    { isReadOnly = this.#isReadOnlyWith(around) } = {},
  ): Promise<QueryResult> {
    const statement = this.#bound(text, values);
    const refused = refusedWrites(isReadOnly);
    const { promise, resolve, reject } = Promise.withResolvers<QueryResult>();
    super.query(
      new GroupedQuery(statement, around, (error, result) => (error ? reject(error) : resolve(result))),
    );
    return promise.then(
      (result) => {
        for (const { name, text: sent } of boundOf(around)) if (name) this.#statements?.notePrepared(sent);
        return result;
      },
      (error: Error & { code?: string }) => {
        const isStale = STALE_CODES.has(error.code!);
        if (isStale) this.#statements?.forget(text);
        // The server may have skipped a statement that was sent for the first time under its name.
        for (const { text: sent } of boundOf(around)) {
          if (isStale) this.#statements?.forget(sent);
          else this.#statements?.forgetUncertain(sent);
        }
        // The driver creates the error when it reads from the socket. The stack of the caller is more useful.
        Error.captureStackTrace(error);
        throw refused(error);
      },
    );
  }

  /** Whether statements that are sent now are in a transaction that was begun as read-only. */
  #isReadOnlyWith({ before }: Pick<Around, 'before'>): boolean {
    return (this.#isOpen && this.#isReadOnly) || before.includes(READ_ONLY);
  }

  async #sendAll(statements: readonly string[]): Promise<QueryResult> {
    const refused = refusedWrites(this.#isReadOnlyWith({ before: statements }));
    const results = await this.#send(statements.join('; ')).catch((error: Error) => {
      throw refused(error);
    });
    return Array.isArray(results) ? results.at(-1)! : results;
  }
}

/**
 * Returns the function that judges an error of statements. If the server refuses a write outside a transaction that was
 * begun as read-only, the server itself has become read-only. It reports this state only after the error.
 */
function refusedWrites(isReadOnly: boolean): (error: Error & { code?: string }) => Error {
  return (error) =>
    error.code === READ_ONLY_TRANSACTION && !isReadOnly
      ? new ServerReadOnly('transaction_read_only', { cause: error })
      : error;
}

const NOTHING = { command: '', rowCount: null, oid: 0, fields: [], rows: [] };

/**
 * Splits a statement `select set_config(..., true), ...` into `set local` statements, which PostgreSQL runs without
 * planning. Any other statement is returned unchanged.
 */
function localSettings(text: string): string[] {
  if (!SETTINGS.test(text)) return [text];
  return Array.from(text.matchAll(SET_CONFIG), ([, name, value]) => `${LOCAL}${name} = ${value}`);
}

/** Returns the statements with parameters that are sent before another one. */
function boundOf({ before }: Around): Bound[] {
  return before.filter((each): each is Bound => !isText(each));
}

function isText(statement: string | Bound): statement is string {
  return typeof statement === 'string';
}

/** Returns the text and the values of a query without a callback; an empty list for other calls. */
function simpleCall([text, values = [], ...rest]: readonly unknown[]): [string?, (readonly unknown[])?] {
  return typeof text === 'string' && Array.isArray(values) && rest.length === 0 ? [text, values] : [];
}
