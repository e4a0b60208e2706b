import type { Middleware } from 'koa';
import type { Deprecation } from '#lib/core/operation.ts';

/**
 * Tells every caller of a deprecated operation, on refusals as well: `Deprecation` (RFC 9745), `Sunset` (RFC 8594)
 * and a link to what to do. Days begin at midnight UTC.
 */
export function deprecation({ since, sunset, link }: Deprecation): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } finally {
      ctx.set('Deprecation', `@${Date.parse(since) / 1_000}`);
      if (sunset !== undefined) ctx.set('Sunset', new Date(sunset).toUTCString());
      // beside the link of a list to its next page
      if (link !== undefined) ctx.append('Link', `<${link}>; rel="deprecation"`);
    }
  };
}
