import { Query, type Connection, type QueryConfig, type QueryResult } from 'pg';

/** The statements to send with a statement: those before it and those after it. None of them may return rows. */
export type Around = { before: readonly string[]; after: readonly string[] };

/** The members of a connection that a query uses. The driver's types declare only some of them. */
type Wire = Connection & {
  parse(statement: { text: string; name?: string }): void;
  bind(portal: { statement?: string }): void;
  execute(portal: object): void;
  submittedNamedStatements: Record<string, string>;
};

type Submit = (connection: Wire) => Error | null;
type Complete = (message: unknown, connection: Wire) => void;
type Internals = {
  hasBeenParsed(connection: Wire): unknown;
  handleCommandComplete: Complete;
};

/**
 * A statement that is sent with further statements, for example `begin` before it and `commit` after it, up to one point
 * of synchronisation. If one of the statements fails, PostgreSQL skips those that follow it, so none of them can run
 * outside the transaction.
 */
export class GroupedQuery extends Query {
  readonly #around: Around;
  #completed = 0;

  /** Creates the query. `done` gets the result of the statement itself. */
  constructor(
    config: QueryConfig & { name?: string },
    around: Around,
    done: (error: Error | undefined, result: QueryResult) => void,
  ) {
    super(config, done as never);
    this.#around = around;
    // The driver assigns these functions to the prototype, but its types declare them as properties or not at all.
    const parts = this as unknown as Internals & { submit: Submit };
    const [submit, complete] = [parts.submit.bind(this), parts.handleCommandComplete.bind(this)];
    parts.submit = (connection) => this.#submit(connection, config, submit);
    parts.handleCommandComplete = (message, connection) => {
      if (this.#completed++ === around.before.length) complete(message, connection);
    };
  }

  #submit(connection: Wire, { text, name }: QueryConfig & { name?: string }, submit: Submit): Error | null {
    connection.stream.cork();
    try {
      // The driver takes the first parsed statement for the named one, so the named one is parsed first.
      if (name && !(this as unknown as Internals).hasBeenParsed(connection)) {
        connection.parse({ text, name });
        connection.submittedNamedStatements[name] = text;
      }
      sendPlain(connection, this.#around.before);
      return submit(this.#withStatementsAfter(connection));
    } finally {
      connection.stream.uncork();
    }
  }

  /** Returns the connection, extended so that it sends the statements after the query before it synchronises. */
  #withStatementsAfter(connection: Wire): Wire {
    const { after } = this.#around;
    let isExecuted = false;
    return Object.assign(Object.create(connection) as Wire, {
      execute(portal: object) {
        isExecuted = true;
        connection.execute(portal);
      },
      sync() {
        if (isExecuted) sendPlain(connection, after);
        connection.sync();
      },
    });
  }
}

function sendPlain(connection: Wire, statements: readonly string[]): void {
  for (const text of statements) {
    connection.parse({ text });
    connection.bind({});
    connection.execute({});
  }
}
