import type { Middleware } from 'koa';
import type { Caller } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import type { Scope } from '#lib/core/scope.ts';

/** Lets through who holds the scope, in a workspace that is entitled to it. */
export function requireScope(scope: Scope): Middleware {
  return async (ctx, next) => {
    const caller = ctx.state['caller'] as Caller;
    if (!caller.entitlements.has(scope)) {
      throw new Problem('entitlement_missing', `The workspace is not entitled to ${scope}.`);
    }
    if (!caller.scopes.has(scope)) {
      throw new Problem('insufficient_scope', `This operation needs the scope ${scope}.`, {
        members: { required_scope: scope },
        headers: { 'WWW-Authenticate': `Bearer realm="assay", error="insufficient_scope", scope="${scope}"` },
      });
    }
    await next();
  };
}
