import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import type { Log } from '#lib/core/log.ts';
import type { Operation, Caller } from '#lib/core/operation.ts';
import type { Metrics } from '#lib/ops/metrics.ts';
import { createMcpRouter } from '../mcp/router.ts';
import type { Origins } from '../mcp/origin.ts';
import { createToolHandler, type McpHandler } from '../mcp/server.ts';
import { createOAuthRouter } from '../derive/oauth-router.ts';
import { createRouter } from '../derive/router.ts';
import { toolsOf, type OwnTool } from '../derive/tool.ts';
import { accessLog } from '../http/access-log.ts';
import type { Access } from '../http/access.ts';
import { checkHost } from '../http/base-url.ts';
import { crossOrigin } from '../http/cross-origin.ts';
import { watchClient } from '../http/gone.ts';
import { headerSizes } from '../http/header-sizes.ts';
import { securityHeaders } from '../http/headers.ts';
import { measured } from '../http/measure.ts';
import { notFound } from '../http/not-found.ts';
import { problemAnswers } from '../http/problem.ts';
import { publicLimit } from '../http/public-limit.ts';
import { limitQuery } from '../http/query-size.ts';
import { requestId } from '../http/request-id.ts';
import { traced } from '../http/tracing.ts';
import { strangerLimit } from '../http/stranger-limit.ts';
import { servicesFor, type SharedServices } from '../services.ts';

export type AppOptions = {
  catalog: readonly Operation[];
  shared: SharedServices;
  access: Access;
  /** Authenticates OAuth clients. */
  oauth: Middleware;
  /** Public routes in addition to the catalog. */
  pages: readonly Router[];
  log: Log;
  metrics: Metrics;
  validateResponses: boolean;
  /** Origins of web pages that may call the API. Default: no origins. */
  corsOrigins?: readonly string[];
  /** Agent tools that are not derived from an operation. */
  tools?: readonly OwnTool[];
  /** Pages that may call the agents' endpoint. Default: no pages. */
  mcpOrigins?: Origins;
  /** Handles the messages of agents, in place of the handler that serves the tools. */
  mcpHandler?: McpHandler;
  /** The base URL that callers use. */
  publicUrl?: string | undefined;
  /** Whether `X-Forwarded-*` headers come from a trusted proxy. */
  trustProxy?: boolean;
  /** The factor that multiplies the rate limit of the public pages. */
  rateFactor?: number;
};

/** Creates the API as a Koa application, with the middleware of every request in order. */
export function createApp({
  catalog,
  shared,
  access,
  oauth,
  pages,
  log,
  metrics,
  validateResponses,
  corsOrigins = [],
  tools: ownTools = [],
  mcpOrigins = { allowed: [], loopback: false },
  mcpHandler,
  publicUrl,
  trustProxy = false,
  rateFactor = 1,
}: AppOptions): Koa {
  const tools = toolsOf(catalog, ownTools);
  const given = { ...shared, tools };
  const operations = createRouter(catalog, {
    access,
    services: (ctx) =>
      servicesFor(given, {
        caller: ctx.state['caller'] as Caller,
        signal: ctx.state['signal'] as AbortSignal,
        isReadOnly: ctx.method === 'GET',
      }),
    validateResponses,
  });
  const onMcpError = (error: Error) => log.debug({ err: error }, 'the MCP server reported an error');
  const agents = catalog
    .filter(({ rpc }) => rpc)
    .map((operation) =>
      createMcpRouter({
        operation,
        access,
        handler: mcpHandler ?? createToolHandler(tools, onMcpError),
        shared: given,
        origins: mcpOrigins,
        publicUrl,
        log,
      }),
    );
  const guarded = [operations, createOAuthRouter(catalog, { access: oauth, log }), ...agents];
  const app = new Koa({ proxy: trustProxy, maxIpsCount: 1 });
  const layers: Middleware[] = [
    requestId,
    watchClient,
    traced,
    measured(metrics),
    accessLog(log),
    securityHeaders,
    ...(corsOrigins.length ? [crossOrigin(corsOrigins)] : []),
    problemAnswers(log),
    strangerLimit(rateFactor),
    headerSizes,
    checkHost,
    limitQuery,
  ];
  for (const layer of layers) app.use(layer);
  for (const router of guarded) app.use(router.routes());
  // Only requests that reach this point are compared with the public routes.
  app.use(publicLimit(pages, rateFactor));
  for (const router of pages) app.use(router.routes());
  app.use(notFound([...guarded, ...pages]));
  return app;
}
