import type { Middleware } from 'koa';
import type { Log } from '#lib/core/log.ts';
import { Problem, type ProblemCode } from '#lib/core/problem.ts';
import { withoutTokens } from '#lib/core/token.ts';
import { toProblem } from './problem.ts';

/** The OAuth error for each problem code that RFC 6749 does not define. */
const words: Partial<Record<ProblemCode, string>> = {
  malformed_json: 'invalid_request',
  validation_failed: 'invalid_request',
  internal_error: 'server_error',
  dependency_unavailable: 'temporarily_unavailable',
  rate_limit_exceeded: 'temporarily_unavailable',
  slow_down: 'temporarily_unavailable',
  workspace_moving: 'temporarily_unavailable',
};

/** Answers errors as RFC 6749, section 5.2, requires. The answers are never stored (section 5.1). */
export function oauthErrors(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const problem = toProblem(error, ctx);
      if (problem !== error) log.error({ err: error, request_id: ctx.state['requestId'] }, 'request failed');
      ctx.state['problemCode'] = problem.code;
      ctx.status =
        problem.code === 'malformed_json' || problem.code === 'validation_failed' ? 400 : problem.status;
      ctx.set(problem.headers);
      ctx.body = {
        error: words[problem.code] ?? problem.code,
        error_description: describe(problem),
        error_uri: `/problems/${problem.code}`,
      };
    }
    ctx.set('Pragma', 'no-cache');
  };
}

/** Returns the `error_description`, without the characters that RFC 6749 does not allow in it. */
function describe({ detail, errors }: Problem): string {
  const text = [detail, ...errors.map(({ pointer, message }) => `${pointer.slice(1)} ${message}.`)].join(' ');
  return withoutTokens(text)
    .replaceAll('"', "'")
    .replaceAll('\\', '/')
    .replace(/[^\x20-\x7e]/g, ' ');
}
