// @ts-expect-error The driver has no types for this module.
import utils from 'pg/lib/utils.js';
import { Query, type Connection, type QueryConfig, type QueryResult } from 'pg';

/** The number of bytes up to which messages are copied into one buffer. */
const JOINED_BYTES_MAX = 16_384;

/** Converts a parameter to what PostgreSQL reads. */
const { prepareValue } = utils as { prepareValue(value: unknown): unknown };

/** A statement with its parameters, and the name under which it is prepared. */
export type Bound = { text: string; values: readonly unknown[]; name?: string };

/** The statements to send with a statement: those before it and those after it. Their rows are ignored. */
export type Around = { before: readonly (string | Bound)[]; after: readonly string[] };

/** The members of a connection that a query uses. The driver's types declare only some of them. */
type Wire = Omit<Connection, 'stream'> & {
  stream: Pick<Connection['stream'], 'writable' | 'write' | 'cork' | 'uncork'>;
  parse(statement: { text: string; name?: string }): void;
  bind(portal: { statement?: string; values?: readonly unknown[]; valueMapper?: unknown }): void;
  execute(portal: object): void;
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
};

/** The functions of the driver's query that are extended. Its types declare them as properties or not at all. */
type Internals = {
  submit(connection: Wire): Error | null;
  handleCommandComplete(message: unknown, connection: Wire): void;
  handleDataRow(message: unknown): void;
};

/**
 * A statement that is sent with further statements, for example `begin` before it and `commit` after it, up to one point
 * of synchronisation. If one of the statements fails, PostgreSQL skips those that follow it, so none of them can run
 * outside the transaction.
 */
export class GroupedQuery extends Query {
  readonly #around: Around;
  readonly #statement: Bound;
  #completed = 0;

  /** Creates the query. `done` gets the result of the statement itself. */
  constructor(
    statement: Bound,
    around: Around,
    done: (error: Error | undefined, result: QueryResult) => void,
  ) {
    super(
      { ...statement, values: [...statement.values], queryMode: 'extended' } as QueryConfig,
      done as never,
    );
    this.#around = around;
    this.#statement = statement;
    const parts = this as unknown as Internals;
    const submit = parts.submit.bind(this);
    const complete = parts.handleCommandComplete.bind(this);
    const takeRow = parts.handleDataRow.bind(this);
    parts.submit = (connection) => this.#submit(connection, submit);
    parts.handleDataRow = (message) => {
      if (this.#isOwn()) takeRow(message);
    };
    parts.handleCommandComplete = (message, connection) => {
      if (this.#isOwn()) complete(message, connection);
      this.#completed += 1;
    };
  }

  /** Whether the next answer is the answer to the statement itself. */
  #isOwn(): boolean {
    return this.#completed === this.#around.before.length;
  }

  #submit(connection: Wire, submit: Internals['submit']): Error | null {
    const { before, after } = this.#around;
    const { text, name } = this.#statement;
    return sentTogether(connection, () => {
      // The driver takes the first parsed statement for the named one, so the named one is parsed first.
      if (name !== undefined && !isParsed(connection, name)) {
        connection.parse({ text, name });
        connection.submittedNamedStatements[name] = text;
      }
      for (const each of before) send(connection, each);
      return submit(extended(connection, after));
    });
  }
}

/**
 * Collects the messages that a function sends on a connection, and sends them when it returns. Small messages are copied
 * into one buffer, because the operating system writes one buffer in half the time of several. The function must not use
 * the stream of the connection in any other way.
 */
function sentTogether<T>(connection: Wire, work: () => T): T {
  const { stream } = connection;
  const messages: Buffer[] = [];
  const collector = {
    writable: stream.writable,
    write: (message: Buffer) => messages.push(message) > 0,
    cork() {},
    uncork() {},
  };
  connection.stream = collector;
  try {
    return work();
  } finally {
    connection.stream = stream;
    const bytes = messages.reduce((sum, { length }) => sum + length, 0);
    stream.cork();
    if (bytes > 0 && bytes <= JOINED_BYTES_MAX) stream.write(Buffer.concat(messages, bytes));
    else for (const message of messages) stream.write(message);
    stream.uncork();
  }
}

/** Returns a connection, extended so that it sends the statements after the query before it synchronises. */
function extended(connection: Wire, after: readonly string[]): Wire {
  let isExecuted = false;
  return Object.assign(Object.create(connection) as Wire, {
    execute(portal: object) {
      isExecuted = true;
      connection.execute(portal);
    },
    sync() {
      if (isExecuted) for (const each of after) send(connection, each);
      connection.sync();
    },
  });
}

function isParsed({ parsedStatements, submittedNamedStatements }: Wire, name: string): boolean {
  return name in parsedStatements || name in submittedNamedStatements;
}

function send(connection: Wire, statement: string | Bound): void {
  const { text, values, name }: Bound =
    typeof statement === 'string' ? { text: statement, values: [] } : statement;
  if (name === undefined) connection.parse({ text });
  else if (!isParsed(connection, name)) {
    connection.parse({ text, name });
    // A failed statement is never used again under its name, so the name can be kept before the answer arrives.
    connection.parsedStatements[name] = text;
  }
  connection.bind({ statement: name ?? '', values, valueMapper: prepareValue });
  connection.execute({});
}
