import type { Middleware } from 'koa';
import type { Deprecation } from '#lib/core/operation.ts';

/**
 * Announces a deprecated operation to every caller, in every answer, including refusals: `Deprecation` (RFC
 * 9745), `Sunset` (RFC 8594) and a link to the alternative. Days begin at midnight UTC.
 */
export function deprecation({ since, sunset, link }: Deprecation): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } finally {
      ctx.set('Deprecation', `@${Date.parse(since) / 1_000}`);
      if (sunset !== undefined) ctx.set('Sunset', new Date(sunset).toUTCString());
      // A list may already have set a link to its next page, so this link is appended.
      if (link !== undefined) ctx.append('Link', `<${link}>; rel="deprecation"`);
    }
  };
}
