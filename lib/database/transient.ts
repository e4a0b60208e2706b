import { causesOf } from '#lib/core/causes.ts';
import { SERVER_READ_ONLY } from './primary-client.ts';

/**
 * Classes of SQLSTATE errors after which a retry may succeed: connection, resources, operator intervention, rollback.
 */
const transientClasses = new Set(['08', '53', '57', '40']);
const transientCodes = new Set([
  SERVER_READ_ONLY,
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
]);
/**
 * Matches the messages with which the PostgreSQL driver reports a lost or failed connection. These errors have no code.
 */
const transientWords =
  /connection terminated|connection ended|timeout e(xpired|xceeded)|not queryable|read timeout/i;

/** Whether an error may be transient, so that a retry may succeed. Every other error is final. */
export function isTransient(error: unknown): boolean {
  for (const { code, message } of causesOf(error)) {
    if (typeof code === 'string' && (transientCodes.has(code) || transientClasses.has(code.slice(0, 2))))
      return true;
    if (transientWords.test(message)) return true;
  }
  return false;
}
