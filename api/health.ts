import Router from '@koa/router';
import { sql } from 'kysely';
import type { Orm } from '#lib/database/orm.ts';

/** `/healthz` says that the process lives, `/readyz` that it can serve: it has its database and is not draining. */
export function createHealth(orm: Orm, isDraining: () => boolean): Router {
  const router = new Router();
  router.get('/healthz', (ctx) => {
    ctx.body = { status: 'ok' };
  });
  router.get('/readyz', async (ctx) => {
    const ready = !isDraining() && (await databaseAnswers(orm));
    ctx.status = ready ? 200 : 503;
    ctx.body = { status: ready ? 'ready' : 'not_ready' };
  });
  return router;
}

async function databaseAnswers(orm: Orm): Promise<boolean> {
  try {
    await sql`select 1`.execute(orm.em.fork().getKysely());
    return true;
  } catch {
    return false;
  }
}
