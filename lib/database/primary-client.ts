import type { Socket } from 'node:net';
import { callbackify } from 'node:util';
import { Client, type ClientConfig } from 'pg';

export type PrimaryClientConfig = ClientConfig & {
  /**
   * Longest time in milliseconds for which the server may send nothing while a statement runs. After this time, the
   * connection is closed. Default: no limit.
   */
  silentMs?: number;
};

/** The code of `ServerReadOnly`. */
export const SERVER_READ_ONLY = 'server_read_only';

/** A server accepts no writes: it is a standby, or its administrator has set it to read-only. */
export class ServerReadOnly extends Error {
  readonly code = SERVER_READ_ONLY;

  /** Creates the error. `setting` is the setting of the server that forbids writes. */
  constructor(setting: string, options?: ErrorOptions) {
    super(`the PostgreSQL server accepts no writes (${setting} is on)`, options);
  }
}

/** The settings that a server which accepts no writes reports as `on`. PostgreSQL reports them since version 14. */
const READ_ONLY_SETTINGS = new Set(['in_hot_standby', 'default_transaction_read_only']);

/** Longest time to establish a connection, in milliseconds. A frozen server accepts a connection and never answers. */
const CONNECT_MS = 10_000;

/**
 * Milliseconds without traffic after which the operating system checks whether the server is still reachable. The
 * operating system gives up a connection about ten seconds later.
 */
const KEEP_ALIVE_MS = 10_000;

type Connected = ((error: Error) => void) | ((error: null, client: Client) => void);
type Status = { parameterName: string; parameterValue: string };

/**
 * A connection to a primary server. A server that accepts no writes is refused, so that no stale data is read from a
 * standby: connecting to it throws `ServerReadOnly`, and an established connection is closed when its server becomes
 * read-only. The check needs no statement, because the server reports its state when the connection begins.
 *
 * A server that does not answer cannot keep a caller waiting without bound: see `CONNECT_MS`, `KEEP_ALIVE_MS` and
 * `silentMs`.
 */
export class PrimaryClient extends Client {
  #refusal: ServerReadOnly | undefined;
  #isConnected = false;

  constructor(config: PrimaryClientConfig) {
    const { connectionTimeoutMillis = CONNECT_MS, silentMs, password } = config;
    super({
      ...config,
      // A pool hides the password from enumeration.
      ...(password === undefined ? {} : { password }),
      connectionTimeoutMillis,
      keepAlive: true,
      keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
    });
    this.connection.on('parameterStatus', ({ parameterName, parameterValue }: Status) => {
      if (!READ_ONLY_SETTINGS.has(parameterName) || parameterValue !== 'on') return;
      this.#refusal ??= new ServerReadOnly(parameterName);
      if (this.#isConnected) this.#socket.destroy(this.#refusal);
    });
    this.once('connect', () => {
      this.#isConnected = true;
      if (silentMs !== undefined) this.#socket.setTimeout(silentMs, () => this.#endSilence(silentMs));
    });
  }

  override connect(): Promise<Client>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): void | Promise<Client> {
    if (callback === undefined) return this.#connectToPrimary();
    callbackify(() => this.#connectToPrimary())(callback as (error: Error | null, client?: Client) => void);
  }

  // A connection without its own stream has a socket. With TLS, the socket is replaced while the connection begins.
  get #socket(): Socket {
    return this.connection.stream as Socket;
  }

  async #connectToPrimary(): Promise<Client> {
    await super.connect();
    if (this.#refusal === undefined) return this;
    void this.end().catch(() => undefined);
    throw this.#refusal;
  }

  #endSilence(silentMs: number): void {
    // The driver's types do not declare this member: whether no statement is running.
    const { readyForQuery } = this as unknown as { readyForQuery: boolean };
    if (!readyForQuery)
      this.#socket.destroy(new Error(`read timeout: the server sent nothing for ${silentMs} ms`));
  }
}
