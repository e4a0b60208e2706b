import type { Middleware } from 'koa';
import { localhostAllowedOrigins, validateOriginHeader } from '@modelcontextprotocol/server';
import { Problem } from '#lib/core/problem.ts';

export type Origins = {
  /** Complete origins, as browsers send them. */
  allowed: readonly string[];
  /**
   * Whether pages that this machine serves, on any port, may call the endpoint. Intended for a server that
   * only this machine can reach.
   */
  loopback: boolean;
};

/**
 * Refuses requests of pages from a foreign origin. Such a page could otherwise reach a server of this machine
 * by resolving its own domain name to this machine (DNS rebinding). A request without `Origin` does not come
 * from a page.
 */
export function checkOrigin({ allowed, loopback }: Origins): Middleware {
  const ofMachine = localhostAllowedOrigins();
  return (ctx, next) => {
    const origin = ctx.get('origin');
    const isOurs = loopback && validateOriginHeader(origin, ofMachine).ok;
    if (origin === '' || allowed.includes(origin) || isOurs) return next();
    throw new Problem('origin_not_allowed', 'This origin is not allowed to call the endpoint.');
  };
}
