import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#lib/core/log.ts';
import { PrimaryClient } from '#lib/database/primary-client.ts';

/**
 * The PostgreSQL channels on which a transaction announces that it has ended or cancelled a run, or has stored a request
 * to a provider. The payload is the uid of the run or request.
 */
export const channels = {
  ended: 'assay_run_ended',
  cancelled: 'assay_run_cancelled',
  asked: 'assay_provider_asked',
} as const;
export type Channel = keyof typeof channels;

const RECONNECT_MS = 500;
const RECONNECT_MS_MAX = 4_000;

/**
 * Receives the notices of one channel over a separate connection. A broken connection is restored. Notices that are
 * sent while the connection is broken are missed, so waiting callers also poll the record of the run.
 */
export class Notices {
  readonly #url: string;
  readonly #channel: Channel;
  readonly #log: Log;
  readonly #name: string;
  readonly #events = new EventEmitter().setMaxListeners(0);
  #client: PrimaryClient | undefined;
  #closed = false;
  #heard: (() => void) | undefined;

  /** Creates a receiver. `name` is the name of the connection on the server. */
  constructor(url: string, channel: Channel, log: Log, name = 'assay') {
    this.#url = url;
    this.#name = name;
    this.#channel = channel;
    this.#log = log;
  }

  async open(): Promise<void> {
    await this.#connect();
  }

  /** Whether the connection is open. */
  get isListening(): boolean {
    return this.#client !== undefined;
  }

  /** Calls `heard` once for a notice with this uid. Returns a function that stops listening. */
  once(uid: string, heard: () => void): () => void {
    this.#events.once(uid, heard);
    return () => this.#events.off(uid, heard);
  }

  /** Calls `heard` for every notice, whatever its uid. */
  each(heard: () => void): void {
    this.#heard = heard;
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#client?.end().catch(() => undefined);
  }

  /**
   * Opens the connection. Only an established connection is restored after a break, so there is never more than one
   * attempt at a time.
   */
  async #connect(): Promise<void> {
    const client = new PrimaryClient({ connectionString: this.#url, application_name: this.#name });
    client.on('error', (error) =>
      this.#log.debug({ err: error, channel: this.#channel }, 'the connection for notices failed'),
    );
    try {
      await client.connect();
      await client.query(`listen ${channels[this.#channel]}`);
    } catch (error) {
      await client.end().catch(() => undefined);
      throw error;
    }
    client.on('notification', (notice) => {
      this.#events.emit(notice.payload ?? '');
      this.#heard?.();
    });
    client.once('end', () => {
      this.#client = undefined;
      void this.#reconnect();
    });
    this.#client = client;
  }

  async #reconnect(): Promise<void> {
    for (let wait = RECONNECT_MS; !this.#closed; wait = Math.min(2 * wait, RECONNECT_MS_MAX)) {
      await delay(wait, undefined, { ref: false });
      if (this.#closed) return;
      try {
        return await this.#connect();
      } catch (error) {
        this.#log.warn(
          { err: error, channel: this.#channel },
          'database notices are not received; reconnecting',
        );
      }
    }
  }
}
