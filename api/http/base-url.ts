import { isIPv6 } from 'node:net';
import type { Context, Middleware } from 'koa';
import { Problem } from '#lib/core/problem.ts';

/**
 * Returns the base URL that callers use: the configured base URL or, if none is configured, the base URL of
 * the request.
 */
export function baseUrl(ctx: Context, publicUrl: string | undefined): string {
  return publicUrl ?? `${ctx.protocol === 'https' ? 'https' : 'http'}://${ctx.host || 'localhost'}`;
}

/**
 * Refuses a `Host`, or a proxy's `X-Forwarded-Host`, that is not a host with an optional port (RFC 9110,
 * section 7.2).
 */
export const checkHost: Middleware = (ctx, next) => {
  if ([ctx.get('host'), ctx.host].every((host) => host === '' || isHost(host))) return next();
  throw new Problem(
    'malformed_header',
    'The header Host takes a name or an IP address, and an optional port.',
  );
};

function isHost(host: string): boolean {
  const [, name = '', v6 = ''] = /^(?:([\w.-]{1,255})|\[([\d:a-f.]{2,45})\])(?::\d{1,5})?$/i.exec(host) ?? [];
  return name !== '' || isIPv6(v6);
}
