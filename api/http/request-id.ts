import type { Middleware } from 'koa';
import { hasToken } from '#lib/core/token.ts';
import { newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';

/**
 * Gives each request an id: the id that the client sent, if it is well-formed and not a secret, otherwise a
 * new id. The id is in every log line and in the response.
 */
export const requestId: Middleware = async (ctx, next) => {
  const given = ctx.get('x-request-id');
  ctx.state['requestId'] =
    /^[A-Za-z0-9_-]{1,64}$/.test(given) && !hasToken(given) ? given : newUid(prefixes.request);
  ctx.set('X-Request-Id', ctx.state['requestId']);
  await next();
};
