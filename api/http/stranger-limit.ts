import type { Middleware } from 'koa';
import { addressKey } from '#lib/core/network-address.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import { createLocalRates } from '#lib/limits/local-rates.ts';
import { quotaTimes } from '#lib/limits/policy.ts';
import { checkRates } from './rate-headers.ts';

/**
 * The maximum number of failed requests per minute from each address. A request fails if it has no valid
 * credential or matches no route.
 */
const QUOTA = 600;

const STRANGE = new Set<ProblemCode>([
  'credential_required',
  'credential_in_query',
  'invalid_token',
  'route_not_found',
  'method_not_allowed',
]);

/**
 * Limits, per address, the requests that are refused before the caller is identified. Only these requests
 * consume the quota, and only they are refused with 429 when the quota is exhausted. Callers with a valid
 * credential at the same address are not affected. Each process counts separately.
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
