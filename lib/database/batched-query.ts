import { Query } from 'pg';
import type { Statement } from './statement-cache.ts';

type Answer = (error: Error | undefined, result: unknown) => void;

/** What this class uses of the driver beyond its published types. */
type Messages = {
  parse(message: { text: string }): void;
  bind(message: object): void;
  execute(message: object): void;
  close(message: { type: 'S'; name: string }): void;
  parsedStatements: Record<string, string>;
};
type Base = {
  _result: { fields: unknown; _parsers: unknown; _prebuiltEmptyResultObject: unknown };
  _accumulateRows: boolean;
  prepare(connection: Messages): void;
  handleDataRow(message: unknown): void;
  handleCommandComplete(message: unknown, connection: unknown): void;
  handleReadyForQuery(connection: unknown): void;
  handleError(error: unknown, connection: unknown): void;
};

export type Batch = {
  /** Statements without parameters that go before it in the same message. */
  ahead: readonly string[];
  text: string;
  values: readonly unknown[];
  /** Where the connection keeps it parsed, if it does. */
  statement: Statement | undefined;
  /** Names of statements that the connection need not keep any longer. */
  dropped: readonly string[];
};

/**
 * A statement with parameters and what goes before it, in one message and with one point of synchronisation: when one of
 * them fails, the server runs none behind it.
 */
export class BatchedQuery extends (Query as unknown as new (config: object, answer: Answer) => Base) {
  readonly #ahead: readonly string[];
  readonly #statement: Statement | undefined;
  readonly #dropped: readonly string[];
  /** How many of the statements ahead have not ended yet. */
  #open: number;

  constructor({ ahead, text, values, statement, dropped }: Batch, answer: Answer) {
    super({ text, values, name: statement?.name }, answer);
    this.#ahead = ahead;
    this.#open = ahead.length;
    this.#statement = statement;
    this.#dropped = statement?.isUnsure ? [...dropped, statement.name] : dropped;
  }

  override prepare(connection: Messages): void {
    for (const name of this.#dropped) {
      connection.close({ type: 'S', name });
      delete connection.parsedStatements[name];
    }
    for (const text of this.#ahead) {
      connection.parse({ text });
      connection.bind({});
      connection.execute({});
    }
    const { isParsed, shape } = this.#statement ?? {};
    if (!isParsed || !shape) return super.prepare(connection);
    Object.assign(this._result, shape);
    this._accumulateRows = true;
    super.prepare(withoutDescription(connection));
  }

  /** Asked by the driver before it sends the text. */
  hasBeenParsed(): boolean {
    return this.#statement?.isParsed ?? false;
  }

  override handleDataRow(message: unknown): void {
    if (this.#open === 0) super.handleDataRow(message);
  }

  override handleCommandComplete(message: unknown, connection: unknown): void {
    if (this.#open === 0) super.handleCommandComplete(message, connection);
    else this.#open -= 1;
  }

  override handleReadyForQuery(connection: unknown): void {
    if (this.#statement) {
      const { fields, _parsers, _prebuiltEmptyResultObject } = this._result;
      const shape = { fields, _parsers, _prebuiltEmptyResultObject };
      Object.assign(this.#statement, { isParsed: true, isUnsure: false, shape });
    }
    super.handleReadyForQuery(connection);
  }

  override handleError(error: unknown, connection: unknown): void {
    if (this.#statement)
      Object.assign(this.#statement, { isParsed: false, isUnsure: true, shape: undefined });
    super.handleError(error, connection);
  }
}

const undescribed = new WeakMap<Messages, Messages>();

/** The connection, but for asking the server what columns a statement has. */
function withoutDescription(connection: Messages): Messages {
  let quiet = undescribed.get(connection);
  if (!quiet)
    undescribed.set(
      connection,
      (quiet = Object.create(connection, { describe: { value: () => {} } }) as Messages),
    );
  return quiet;
}
