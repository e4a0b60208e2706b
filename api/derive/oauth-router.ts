import Router from '@koa/router';
import type { Middleware } from 'koa';
import { createAjv } from '#lib/core/ajv.ts';
import type { Log } from '#lib/core/log.ts';
import type { Operation, Reply } from '#lib/core/operation.ts';
import { readForm } from '../http/form.ts';
import { oauthErrors } from '../http/oauth-errors.ts';
import { faultsOf } from './faults.ts';
import { API_PREFIX, invalid, named } from './router.ts';

export type OAuthRouterOptions = { access: Middleware; log: Log };

/**
 * Creates the routes of a catalog's OAuth endpoints. Each route runs form parsing, client authentication,
 * validation and the handler, in this order.
 */
export function createOAuthRouter(
  catalog: readonly Operation[],
  { access, log }: OAuthRouterOptions,
): Router {
  const router = new Router({ prefix: API_PREFIX });
  const ajv = createAjv();
  for (const operation of catalog.filter(({ oauth }) => oauth)) {
    const valid = ajv.compile(operation.body!);
    const handle: Middleware = async (ctx) => {
      const { body } = ctx.state;
      if (!valid(body)) throw invalid(faultsOf(valid.errors!, 'body'));
      const reply = (await operation.handle({ ...ctx.state['oauthCall'], body })) as Reply<number, unknown>;
      ctx.status = reply.status;
      ctx.body = reply.body;
    };
    const layers = [named(operation), oauthErrors(log), readForm, access, handle];
    router.register(operation.path, [operation.method], layers as never);
  }
  return router;
}
