import Router from '@koa/router';
import { createAjv } from '#lib/core/ajv.ts';
import type { Operation } from '#lib/core/operation.ts';
import { Closed } from '#lib/core/schema.ts';
import { faultsOf } from '../derive/faults.ts';
import { changeLedger } from '../derive/ledger.ts';
import { API_PREFIX, invalid } from '../derive/router.ts';
import { answerFixed, fixed } from '../http/etag.ts';
import { published } from './published.ts';

/**
 * Serves the change ledger without a credential. The ledger contains only metadata, which grants no access.
 */
export function createChanges(catalog: readonly Operation[]): Router {
  const ledger = fixed(JSON.stringify(changeLedger(published, catalog)), 'application/json');
  const validQuery = createAjv().compile(Closed({}));
  const router = new Router();
  router.get(`${API_PREFIX}/changes`, (ctx) => {
    if (!validQuery({ ...ctx.query })) throw invalid(faultsOf(validQuery.errors!, 'query'));
    ctx.set('Cache-Control', 'no-cache');
    answerFixed(ctx, ledger);
  });
  return router;
}
