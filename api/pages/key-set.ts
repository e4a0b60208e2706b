import Router from '@koa/router';
import type { Context } from 'koa';
import { cachedFor } from '#lib/core/cached-for.ts';
import type { Orm } from '#lib/database/base.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { publishedKeys } from '#lib/trust/signing-key.write.ts';
import { answerFresh } from '../http/etag.ts';

/**
 * Cache time in milliseconds. The time is so short that a rotation appears immediate. A flood of requests costs only
 * one query per interval.
 */
const KEPT_MS = 100;

/** Serves the public keys that verify evidence. */
export function keySet(orm: Orm): Router {
  const router = new Router();
  const read = cachedFor(KEPT_MS, async () => JSON.stringify(await inPlatform(orm, publishedKeys)));
  router.get('/.well-known/assay-keys.json', async (ctx: Context) => {
    ctx.set('Cache-Control', 'public, max-age=300');
    answerFresh(ctx, await read());
  });
  return router;
}
