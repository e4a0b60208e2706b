import type { Client } from 'pg';
import { PrimaryClient } from './primary-client.ts';
import { KEEPS_AFTER, StatementCache, STALE_CODES } from './statement-cache.ts';

const STATEMENTS_MAX = 50;

type Done = (error: (Error & { code?: string }) | null, result?: unknown) => void;

/** A connection of BullMQ, which does not prepare statements itself. Frequent statements are prepared once. */
export class QueueClient extends PrimaryClient {
  readonly #statements = new StatementCache({ after: KEEPS_AFTER, max: STATEMENTS_MAX });
  readonly #send = super.query.bind(this) as unknown as (...query: unknown[]) => unknown;

  // The pool sends each statement with a callback. Other calls are passed on unchanged.
  override query = ((...query: unknown[]): unknown => {
    const [text, values, done] = query;
    if (typeof text !== 'string' || !Array.isArray(values) || typeof done !== 'function')
      return this.#send(...query);
    const name = this.#statements.use(text);
    return this.#send({ text, values, ...(name !== undefined && { name }) }, ((error, result) => {
      if (error && STALE_CODES.has(error.code!)) this.#statements.forget(text);
      (done as Done)(error, result);
    }) satisfies Done);
  }) as Client['query'];
}
