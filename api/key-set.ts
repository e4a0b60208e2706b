import Router from '@koa/router';
import type { Context } from 'koa';
import { inPlatform, type Orm } from '#lib/database/orm.ts';
import { publishedKeys } from '#lib/trust/signing-key.repository.ts';

/** Serves the public halves of the keys that sign evidence. */
export function keySet(orm: Orm): Router {
  const router = new Router();
  router.get('/.well-known/assay-keys.json', async (ctx: Context) => {
    ctx.set('Cache-Control', 'public, max-age=300');
    ctx.body = await inPlatform(orm, publishedKeys);
  });
  return router;
}
