import type { Middleware } from 'koa';
import type { Metrics } from '#lib/ops/metrics.ts';

/** Counts and times each request by operation. A request without an operation counts as `none`. */
export function measured(metrics: Pick<Metrics, 'httpRequests' | 'httpSeconds'>): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    await next();
    const labels = { operation: (ctx.state['operation'] as string) ?? 'none', method: methodOf(ctx.method) };
    metrics.httpRequests.inc({ ...labels, status: String(ctx.status) });
    metrics.httpSeconds.observe(labels, (performance.now() - started) / 1_000);
  };
}

/** Returns the method as a metric label. A caller can send any word, so unknown methods share one label. */
function methodOf(method: string): string {
  return ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS'].includes(method) ? method : 'other';
}
