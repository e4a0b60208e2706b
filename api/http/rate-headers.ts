import type { Context } from 'koa';
import { Problem } from '#lib/core/problem.ts';
import { retryAfterS } from '#lib/limits/gcra.ts';
import { WINDOW_S, type RateDecision } from '#lib/limits/policy.ts';

/**
 * Reports the caller's quotas in the headers of draft-ietf-httpapi-ratelimit-headers. Refuses a request that
 * exceeds a quota, and states the violated policies and the time to retry.
 */
export function checkRates(ctx: Context, decision: RateDecision): void {
  const { allowed, states } = decision;
  const list = (member: (state: (typeof states)[number]) => string) => states.map(member).join(', ');
  ctx.set(
    'RateLimit-Policy',
    list(({ name, quota }) => `"${name}";q=${quota};w=${WINDOW_S}`),
  );
  ctx.set(
    'RateLimit',
    list(({ name, remaining, fullInS }) => `"${name}";r=${remaining};t=${Math.ceil(fullInS)}`),
  );
  if (allowed) return;
  const violated = states.filter(({ remaining }) => remaining < 1).map(({ name }) => name);
  throw new Problem('rate_limit_exceeded', `The quota is exhausted: ${violated.join(', ')}.`, {
    members: { violated_policies: violated },
    headers: { 'Retry-After': String(retryAfterS(decision)) },
  });
}
