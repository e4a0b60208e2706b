import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { Problem } from '#lib/core/problem.ts';

/**
 * Answers a request that no route matched: 405 with `Allow` if the path exists under another method,
 * otherwise 404.
 */
export function notFound(routers: readonly Pick<Router, 'match'>[]): Middleware {
  return async (ctx) => {
    const allowed = new Set(
      routers.flatMap((router) => router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods)),
    );
    if (allowed.size) {
      throw new Problem('method_not_allowed', `${ctx.method} is not supported on this path.`, {
        headers: { Allow: [...allowed].sort().join(', ') },
      });
    }
    throw new Problem('route_not_found', 'There is no resource at this path.');
  };
}
