import { SpanKind } from '@opentelemetry/api';
import type { Middleware } from 'koa';
import { carriedTrace, isInstalled, withSpan } from '#lib/core/tracing.ts';

/**
 * Starts a span for each request. If the request has a `traceparent`, the span is a child of the caller's
 * span.
 */
export const traced: Middleware = (ctx, next) => {
  if (!isInstalled()) return next();
  return withSpan(
    ctx.method,
    {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': ctx.method },
      parent: carriedTrace(ctx.headers),
    },
    async (span) => {
      await next();
      const { operation, route } = ctx.state as { operation?: string; route?: string };
      if (route) span.updateName(`${ctx.method} ${route}`);
      span.setAttributes({
        'http.response.status_code': ctx.status,
        'assay.request_id': ctx.state['requestId'],
        ...(route ? { 'http.route': route } : {}),
        ...(operation ? { 'assay.operation': operation } : {}),
      });
    },
  );
};
