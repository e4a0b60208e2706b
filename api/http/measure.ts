import type { Middleware } from 'koa';
import type { Metrics } from '#lib/ops/metrics.ts';

/** Counts each request and times it, by operation; what is none counts as `none`. */
export function measured(metrics: Pick<Metrics, 'httpRequests' | 'httpSeconds'>): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    const labels = { operation: (ctx.state['operation'] as string) ?? 'none', method: methodOf(ctx.method) };
    metrics.httpRequests.inc({ ...labels, status: String(ctx.status) });
    metrics.httpSeconds.observe(labels, (performance.now() - started) / 1_000);
  };
}

/** A caller can send any word as a method; a label takes only those that we answer. */
function methodOf(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other';
}
