import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { addressKey } from '#lib/core/network-address.ts';
import { createLocalRates } from '#lib/limits/local-rates.ts';
import { quotaTimes } from '#lib/limits/policy.ts';
import { checkRates } from './rate-headers.ts';

/** The maximum number of requests per minute from each address, for all public pages together. */
const QUOTA = 600;
/**
 * The pages for load balancers and supervisors. They are not limited, because they are answered from memory.
 */
const HEALTH = new Set(['/healthz', '/readyz']);

/** Limits the requests of an address to routes that need no credential. Each process counts separately. */
export function publicLimit(routers: readonly Router[], rateFactor: number): Middleware {
  const rates = createLocalRates(1, () => performance.now() / 1_000);
  const quota = quotaTimes(QUOTA, rateFactor);
  return async (ctx, next) => {
    const isPublic =
      !HEALTH.has(ctx.path) && routers.some((router) => router.match(ctx.path, ctx.method).route);
    if (isPublic) {
      const key = `public ${addressKey(ctx.ip)}`;
      checkRates(ctx, await rates.take('public', [{ name: 'address', key, quota }]));
    }
    await next();
  };
}
