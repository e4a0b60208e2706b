import type { Middleware } from 'koa';
import { CLIENT_GONE, ClientGone } from './gone.ts';
import type { Log } from '#lib/core/log.ts';
import { Problem, problemBody } from '#lib/core/problem.ts';
import { withoutTokens } from '#lib/core/token.ts';
import { restOf } from '#lib/core/at-rest.ts';
import { isTransient } from '#lib/database/transient.ts';
import { workspaceMoved, workspaceMoving, type RequestPlace } from './moved.ts';

/**
 * Turns any thrown error into an RFC 9457 answer. For an error that is not a `Problem`, the answer contains
 * only a general problem, and the error is logged.
 */
export function problemAnswers(log: Log): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      if (error instanceof ClientGone) {
        ctx.status = CLIENT_GONE;
        ctx.state['problemCode'] = 'client_gone';
        return;
      }
      const problem = toProblem(error, ctx);
      if (problem !== error) log.error({ err: error, request_id: ctx.state['requestId'] }, 'request failed');
      ctx.state['problemCode'] = problem.code;
      ctx.status = problem.status;
      ctx.set(problem.headers);
      ctx.body = withoutTokens(JSON.stringify(problemBody(problem, ctx.state['requestId'])));
      ctx.type = 'application/problem+json';
    }
  };
}

/** Returns the problem that an error of a request is answered with. */
export function toProblem(error: unknown, place?: RequestPlace): Problem {
  if (error instanceof Problem) return error;
  const rest = restOf(error);
  if (rest) return rest.state === 'moved' ? workspaceMoved(rest.address, place) : workspaceMoving();
  if (isTransient(error)) {
    return new Problem('dependency_unavailable', 'A service that Assay depends on is unavailable.', {
      headers: { 'Retry-After': '2' },
    });
  }
  return new Problem(
    'internal_error',
    'An unexpected error occurred. Quote the request id when you report it.',
  );
}
