import type { Server } from 'node:http';
import type Router from '@koa/router';
import Koa from 'koa';
import type { Config } from '#lib/core/config.ts';
import type { Log } from '#lib/core/log.ts';
import { healthRoutes, type Health } from './health.ts';
import { listen } from './listen.ts';
import { metricsRoutes } from './metrics-routes.ts';
import type { Metrics } from './metrics.ts';

export type OpsOptions = {
  config: Config;
  /** The first port to try if no port is configured. */
  defaultPort: number;
  health: Health;
  metrics: Metrics;
  log: Log;
};

/** Creates the routes for operators: health with reasons, and metrics. These routes require no password. */
export function openRoutes(health: Health, metrics: Metrics): Router[] {
  return [healthRoutes(health, { reasons: true }), metricsRoutes(metrics)];
}

/**
 * Opens the operators' listener of a process that serves no other HTTP requests. The listener is on loopback by
 * default.
 */
export function openOps({ config, defaultPort, health, metrics, log }: OpsOptions): Promise<Server> {
  const app = new Koa();
  for (const router of openRoutes(health, metrics)) app.use(router.routes());
  return listen(app, { host: config.OPS_HOST, port: config.OPS_PORT, defaultPort, log });
}
