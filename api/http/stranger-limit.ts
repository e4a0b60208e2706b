import type { Middleware } from 'koa';
import { addressKey } from '#lib/core/network-address.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import { createLocalRates } from '#lib/limits/local-rates.ts';
import { quotaTimes } from '#lib/limits/policy.ts';
import { checkRates } from './rate-headers.ts';

/** Requests a minute of each address that say nothing of use: without a valid credential, or of no route. */
const QUOTA = 600;

const STRANGE = new Set<ProblemCode>([
  'credential_required',
  'credential_in_query',
  'invalid_token',
  'route_not_found',
  'method_not_allowed',
]);

/**
 * Limits the requests of an address that are refused before anybody is known to have sent them. Only they draw on the
 * quota and only they are refused beyond it, so that callers with a valid credential behind the same address go on. Each
 * process counts for itself.
 */
export function strangerLimit(rateFactor: number): Middleware {
  const rates = createLocalRates(1, () => performance.now() / 1_000);
  const quota = quotaTimes(QUOTA, rateFactor);
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof Problem && STRANGE.has(error.code)) {
        const key = addressKey(ctx.ip);
        checkRates(ctx, await rates.take('strangers', [{ name: 'address', key, quota }]));
      }
      throw error;
    }
  };
}
