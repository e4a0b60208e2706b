import { Readable } from 'node:stream';
import Router from '@koa/router';
import type { Context, Middleware } from 'koa';
import { recordInvocations, type Invoked } from '#lib/agents/agent-invocation.write.ts';
import { batchWrites } from '#lib/core/batch-writes.ts';
import type { Log } from '#lib/core/log.ts';
import type { Caller, Operation } from '#lib/core/operation.ts';
import { Problem } from '#lib/core/problem.ts';
import type { Orm, Tenant } from '#lib/database/base.ts';
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

const RESOURCE = '/api/mcp';
/** The maximum number of calls that one statement records. */
const RECORDED_MAX = 100;

export type McpRouterOptions = {
  operation: Operation;
  access: Access;
  handler: McpHandler;
  shared: SharedServices;
  origins: Origins;
  publicUrl: string | undefined;
  log: Log;
};

/**
 * Creates the endpoint of the protocol. It checks origin, credential, scope, quota and body, then handles the
 * message, in this order.
 */
export function createMcpRouter(options: McpRouterOptions): Router {
  const { operation, access, handler, origins, publicUrl, shared } = options;
  const record = recorderOf(shared.orm);
  const router = new Router();
  const serve: Middleware = async (ctx) => {
    if (!ctx.accepts('application/json')) throw new Problem('not_acceptable', 'Accept application/json.');
    const { body } = ctx.state;
    if (Array.isArray(body)) return refuseBatch(ctx);
    await answerWith(ctx, await handler(requestOf(ctx), body, invocationOf(ctx, body, options, record)));
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

type Recorded = { tenant: Tenant; invoked: Invoked };

/**
 * Records calls in batches. Many agents of a workspace may call at the same time, and one commit then records
 * several calls.
 */
function recorderOf(orm: Orm): (recorded: Recorded) => Promise<void> {
  return batchWrites({
    max: RECORDED_MAX,
    keyOf: ({ tenant }) => `${tenant.workspace} ${tenant.environment}`,
    write: (calls) =>
      inTenant(orm, calls[0]!.tenant, (em) =>
        recordInvocations(
          em,
          calls.map(({ invoked }) => invoked),
        ),
      ),
  });
}

function invocationOf(
  ctx: Context,
  body: unknown,
  { shared, log }: McpRouterOptions,
  record: (recorded: Recorded) => Promise<void>,
): Invocation {
  const caller = ctx.state['caller'] as Caller;
  const requestId = ctx.state['requestId'] as string;
  const signal = ctx.state['signal'] as AbortSignal;
  return {
    caller,
    requestId,
    signal,
    services: servicesFor(shared, { caller, signal, isReadOnly: true }),
    message: messageOf(ctx, body),
    record: (invoked) => record({ tenant: tenantOf(caller), invoked }),
    onError: (error) => log.error({ err: error, request_id: requestId }, 'tool failed'),
    now: () => shared.clock.now(),
  };
}

/**
 * Builds a request without the credential and with a fixed URL, so that the result does not depend on the URL that the
 * caller used. `Accept` names both media types of the protocol, so that a caller that accepts only JSON is not refused.
 * The request has no abort signal, so a call with a JSON answer is recorded even if the caller disconnects. A streamed
 * answer then ends.
 */
function requestOf(ctx: Context): Request {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(ctx.headers)) {
    if (name !== 'authorization' && value !== undefined) headers[name] = String(value);
  }
  headers['accept'] = 'application/json, text/event-stream';
  return new Request(`http://localhost${RESOURCE}`, { method: 'POST', headers });
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

/**
 * Refuses a batch of messages. One request may contain only one message, so that each message is counted and
 * answered separately.
 */
function refuseBatch(ctx: Context): void {
  ctx.status = 400;
  ctx.body = { jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'Batches are not supported.' } };
}
