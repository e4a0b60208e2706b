import type { Context } from 'koa';
import type { Idempotency, Operation } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import { canonicalHash, sha256 } from '#lib/core/seal.ts';
import { unquoted } from './header-list.ts';

const KEPT_HOURS = 24;
const FINANCIAL_HOURS = 30 * 24;

/** Reads `Idempotency-Key`, bare or as a quoted structured-field string. */
export function parseKey(ctx: Context): string | undefined {
  const header = ctx.get('idempotency-key');
  if (header === '') return undefined;
  const key = unquoted(header);
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw new Problem('malformed_header', 'Idempotency-Key takes 1 to 255 visible ASCII characters.');
  }
  return key;
}

/** Returns the idempotency key with the hash of the request that it was sent with. */
export function idempotencyOf(ctx: Context, operation: Operation, key: string): Idempotency {
  const request = {
    method: ctx.method,
    path: ctx.path,
    query: ctx.querystring,
    body: ctx.state['body'] ?? null,
  };
  const keptHours = operation.product === 'Financial Actions' ? FINANCIAL_HOURS : KEPT_HOURS;
  return { operation: operation.key, key: sha256(key), fingerprint: canonicalHash(request), keptHours };
}
