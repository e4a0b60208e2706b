import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { recordInvocation } from '#lib/agents/agent-invocation.repository.ts';
import type { Log } from '#lib/core/log.ts';
import type { Caller, Operation } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import { inTenant } from '#lib/database/orm.ts';
import { addressOf, named } from '../derive/router.ts';
import type { Access } from '../http/access.ts';
import { readBody } from '../http/body.ts';
import { servicesFor, type SharedServices } from '../services.ts';
import { tenantOf } from '../tenant.ts';
import { challenged } from './challenge.ts';
import type { Invocation } from './invocation.ts';
import { messageOf } from './message.ts';
import { checkOrigin, type Origins } from './origin.ts';
import { rpcErrors } from './rpc-errors.ts';
import type { McpHandler } from './server.ts';

export type McpRouterOptions = {
  operation: Operation;
  access: Access;
  handler: McpHandler;
  shared: SharedServices;
  origins: Origins;
  publicUrl: string | undefined;
  log: Log;
};

/** The endpoint of the protocol: origin, credential, scope, quota, body, then the message, in this order. */
export function createMcpRouter(options: McpRouterOptions): Router {
  const { operation, access, handler, origins, publicUrl } = options;
  const router = new Router();
  const serve: Middleware = async (ctx) => {
    if (!ctx.accepts('application/json')) throw new Problem('not_acceptable', 'Accept application/json.');
    const { body } = ctx.state;
    if (Array.isArray(body)) return refuseBatch(ctx);
    const left = new AbortController();
    ctx.res.once('close', () => left.abort());
    const request = requestOf(ctx, left.signal);
    await answerWith(ctx, await handler(request, body, invocationOf(ctx, body, options)));
  };
  router.register(addressOf(operation), [operation.method], [
    named(operation),
    checkOrigin(origins),
    challenged(publicUrl),
    access(operation),
    rpcErrors,
    readBody,
    serve,
  ] as never);
  return router;
}

function invocationOf(ctx: Context, body: unknown, { shared, log }: McpRouterOptions): Invocation {
  const caller = ctx.state['caller'] as Caller;
  const requestId = ctx.state['requestId'] as string;
  return {
    caller,
    requestId,
    services: servicesFor(shared, caller, true),
    message: messageOf(ctx, body),
    record: (invoked) => inTenant(shared.orm, tenantOf(caller), (em) => recordInvocation(em, invoked)),
    onError: (error) => log.error({ err: error, request_id: requestId }, 'tool failed'),
    now: () => shared.clock.now(),
  };
}

/** The request without its credential. Who accepts JSON gets JSON: the protocol's own `Accept` is not insisted on. */
function requestOf(ctx: Context, signal: AbortSignal): Request {
  const headers = new Headers();
  for (const [name, value] of Object.entries(ctx.headers)) {
    if (name !== 'authorization' && value !== undefined) headers.set(name, String(value));
  }
  headers.set('accept', 'application/json, text/event-stream');
  return new Request(`http://${ctx.host || 'localhost'}${ctx.path}`, { method: 'POST', headers, signal });
}

async function answerWith(ctx: Context, response: Response): Promise<void> {
  ctx.status = response.status;
  for (const [name, value] of response.headers) if (name !== 'content-length') ctx.set(name, value);
  if (response.body === null) ctx.body = null;
  else if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    ctx.body = Readable.fromWeb(response.body as never);
  } else ctx.body = await response.text();
  ctx.status = response.status;
}

/** One request a message, so that each is counted and answered by itself. */
function refuseBatch(ctx: Context): void {
  ctx.status = 400;
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Batches are not taken.' } };
}
