import type { Middleware } from 'koa';
import type { Log } from '#lib/core/log.ts';

/**
 * Logs one line per request. The path is the template of the operation, so that no customer's identifier is
 * logged.
 */
export function accessLog(log: Log): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    log.info(
      {
        request_id: ctx.state['requestId'],
        method: ctx.method,
        operation: ctx.state['operation'],
        status: ctx.status,
        code: ctx.state['problemCode'],
        workspace: ctx.state['caller']?.workspace,
        application: ctx.state['caller']?.application,
        ms: Math.round((performance.now() - started) * 10) / 10,
      },
      'request',
    );
  };
}
