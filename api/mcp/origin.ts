import type { Middleware } from 'koa';
import { localhostAllowedOrigins, validateOriginHeader } from '@modelcontextprotocol/server';
import { Problem } from '#lib/core/problem.ts';

export type Origins = {
  /** Whole origins, as browsers send them. */
  allowed: readonly string[];
  /** Whether pages of this machine may call, by any port: for a server that only this machine reaches. */
  loopback: boolean;
};

/**
 * Refuses pages of a foreign origin, so that none can reach a server of this machine through a name of its own (DNS
 * rebinding). What sends no `Origin` is no page.
 */
export function checkOrigin({ allowed, loopback }: Origins): Middleware {
  const ofMachine = localhostAllowedOrigins();
  return (ctx, next) => {
    const origin = ctx.get('origin');
    const isOurs = loopback && validateOriginHeader(origin, ofMachine).ok;
    if (origin === '' || allowed.includes(origin) || isOurs) return next();
    throw new Problem('origin_not_allowed', 'This origin is not among those that may call.');
  };
}
