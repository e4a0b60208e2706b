import Router from '@koa/router';
import type { Metrics } from './metrics.ts';

/** Creates the route `/metrics`, in the text format of Prometheus. */
export function metricsRoutes({ registry }: Metrics): Router {
  const router = new Router();
  router.get('/metrics', async (ctx) => {
    ctx.type = registry.contentType;
    ctx.body = await registry.metrics();
  });
  return router;
}
