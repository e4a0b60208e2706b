import type { Context, Middleware } from 'koa';

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  'trusted-types chart',
].join('; ');

/**
 * Sets the headers of every answer. Browsers run only the console's own scripts, and no other site may frame or read an
 * answer.
 */
export const consoleHeaders: Middleware = async (ctx, next) => {
  ctx.set({
    'Content-Security-Policy': policy,
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
    'Cache-Control': 'no-store',
  });
  await next();
};

/**
 * Refuses requests that no person's browser sends to the console: those with a credential of an application, and those
 * whose `Host` is not the console's. The second rule refuses requests to a host name of another site, if that name
 * resolves to this machine.
 */
export function checkRequest(isOwnHost: IsOwnHost): Middleware {
  return async (ctx, next) => {
    if (ctx.get('authorization') !== '')
      return refuse(ctx, 400, 'The console accepts no credentials of applications.');
    if (!isOwnHost(ctx.get('host')))
      return refuse(ctx, 421, 'The host of the request is not the host of the console.');
    await next();
  };
}

/** Whether a request that changes something comes from a page of the console itself. */
export function isFromConsole(ctx: Context, isOwnHost: IsOwnHost): boolean {
  const site = ctx.get('sec-fetch-site');
  if (site !== '') return site === 'same-origin';
  const origin = ctx.get('origin');
  return URL.canParse(origin) && isOwnHost(new URL(origin).host);
}

/** Whether a value of `Host` names the console. */
export type IsOwnHost = (host: string) => boolean;

/**
 * Returns the check of `Host`: the header must name the host of the console's URL or, if no URL is configured, a
 * loopback address. A browser that reaches the console by a name of another site is refused.
 */
export function ownHosts(publicUrl: string | undefined): IsOwnHost {
  if (publicUrl !== undefined) {
    const own = new URL(publicUrl).host;
    return (host) => host.toLowerCase() === own;
  }
  return (host) => URL.canParse(`http://${host}`) && isLoopback(new URL(`http://${host}`).hostname);
}

/** Whether a host name reaches only this machine. */
export function isLoopback(hostname: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]', '::1'].includes(hostname);
}

function refuse(ctx: Context, status: number, text: string): void {
  ctx.status = status;
  ctx.type = 'text/plain';
  ctx.body = `${text}\n`;
}
