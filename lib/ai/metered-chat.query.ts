import { openEnvelope } from '#lib/core/envelope-encryption.ts';
import type { Em } from '#lib/database/base.ts';
import { beginCall, finishCall, type NewCall } from './call.write.ts';
import type { CallRefusal } from './admission.ts';
import type { ChatOutcome } from './chat.ts';
import { readKey } from './connection.write.ts';
import type { Gateway } from './provider/gateway.ts';

export type MeteredChat =
  | { made: true; uid: string; outcome: ChatOutcome }
  | { made: false; code: CallRefusal };

export type Metering = {
  gateway: Gateway;
  /** The key encryption key for the keys of connections. */
  key: Buffer;
  /**
   * Runs work in a transaction of the tenant. A metered call uses two transactions and makes the network call between
   * them.
   */
  transaction<T>(work: (em: Em) => Promise<T>): Promise<T>;
  now(): Date;
};

const FINISHES_MAX = 3;

/**
 * Makes a call on a connection and records its usage exactly once. The call is recorded before it is made. If
 * the outcome of the call cannot be recorded, the record of the call remains with an unknown cost.
 */
export async function meteredChat(metering: Metering, call: Omit<NewCall, 'now'>): Promise<MeteredChat> {
  const { gateway, key, transaction, now } = metering;
  const begun = await transaction(async (em) => {
    const verdict = await beginCall(em, { ...call, now: now() });
    return verdict.ok ? { ...verdict, kept: await readKey(em, call.connection) } : verdict;
  });
  if (!begun.ok) return { made: false, code: begun.code };
  const { uid, baseUrl, kept } = begun;
  const apiKey = kept && openEnvelope(kept, key, call.connection);
  const outcome: ChatOutcome =
    apiKey === undefined
      ? { ...unsent, ok: false, code: 'key_unreadable' }
      : await gateway.chat({ connection: call.connection, baseUrl, apiKey }, call.request);
  for (let tries = 1; ; tries += 1) {
    try {
      await transaction((em) => finishCall(em, uid, outcome, now()));
      return { made: true, uid, outcome };
    } catch (error) {
      if (tries === FINISHES_MAX) throw error;
    }
  }
}

const unsent = { attempts: 0, latencyMs: 0, status: null, usage: null, mayBeBilled: false };
