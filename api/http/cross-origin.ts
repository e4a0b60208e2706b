import cors from '@koa/cors';
import type { Middleware } from 'koa';

const EXPOSED = [
  'ETag',
  'Idempotent-Replayed',
  'Link',
  'Location',
  'Preference-Applied',
  'RateLimit',
  'RateLimit-Policy',
  'Retry-After',
  'X-Request-Id',
];

/** Allows web pages of these origins to call the API with credentials in headers. Cookies are not used. */
export function crossOrigin(origins: readonly string[]): Middleware {
  return cors({
    origin: (ctx) => (origins.includes(ctx.get('origin')) ? ctx.get('origin') : ''),
    allowMethods: ['GET', 'POST', 'PUT'],
    allowHeaders: [
      'Authorization',
      'Content-Type',
      'Idempotency-Key',
      'If-Match',
      'If-None-Match',
      'Mcp-Method',
      'Mcp-Name',
      'Mcp-Protocol-Version',
      'Prefer',
      'X-Request-Id',
    ],
    exposeHeaders: EXPOSED,
    maxAge: 600,
  });
}
