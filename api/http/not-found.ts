import type Router from '@koa/router';
import type { Middleware } from 'koa';
import { Problem } from '#lib/core/problem.ts';

/** Answers what no route took: 405 with `Allow` where the path exists under another method, 404 elsewhere. */
export function notFound(routers: readonly Router[]): Middleware {
  return async (ctx) => {
    const allowed = new Set(
      routers.flatMap((router) => router.match(ctx.path, ctx.method).path.flatMap((layer) => layer.methods)),
    );
    if (allowed.size) {
      throw new Problem('method_not_allowed', `${ctx.method} is not answered here.`, {
        headers: { Allow: [...allowed].sort().join(', ') },
      });
    }
    throw new Problem('route_not_found', 'There is nothing under this path.');
  };
}
