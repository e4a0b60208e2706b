import Koa from 'koa';
import { createRouter } from '#api/derive/router.ts';
import { createRuns } from '#api/runs.ts';
import { servicesFor } from '#api/services.ts';
import { getWorkspace } from '#api/access/workspace.ts';
import { systemClock } from '#lib/core/clock.ts';
import { createLog } from '#lib/core/log.ts';
import type { Caller } from '#lib/core/operation.ts';
import { openOrm } from '#lib/database/orm.ts';
import { listen, urlOf } from '#lib/ops/listen.ts';

/**
 * The peer of the access bench: the same operation with the same transaction, without authentication, scope
 * check, rate limit, log and metrics.
 */
const { PEER_DATABASE_URL, PEER_POOL, PEER_CALLER } = process.env;
const orm = openOrm(PEER_DATABASE_URL!, Number(PEER_POOL));
const given = JSON.parse(PEER_CALLER!) as Omit<Caller, 'scopes' | 'entitlements'> & { scopes: string[] };
const caller: Caller = {
  ...given,
  scopes: new Set(given.scopes),
  entitlements: new Set(given.scopes),
};
const log = createLog('peer', 'silent');
const parts = { orm, clock: systemClock, log, waitMs: 0 };
const runs = createRuns({
  ...parts,
  queues: {},
  endings: {},
  draining: new AbortController().signal,
} as never);
const router = createRouter([getWorkspace], {
  access: () => (_ctx, next) => next(),
  services: () =>
    servicesFor(
      { orm, runs, clock: systemClock, cursorSecret: 'of the bench' },
      { caller, signal: new AbortController().signal, isReadOnly: true },
    ),
  validateResponses: false,
});
const app = new Koa();
app.use((ctx, next) => {
  ctx.state['caller'] = caller;
  return next();
});
app.use(router.routes());
const server = await listen(app, { host: '127.0.0.1', port: 0, defaultPort: 0, log });
process.send?.({ url: urlOf(server) });
