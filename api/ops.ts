import { timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import type Router from '@koa/router';
import Koa, { type Middleware } from 'koa';
import { sha256 } from '#lib/core/seal.ts';
import type { TicketQueue } from '#lib/pipeline/queue.ts';

const BOARD = '/queues';

/** Nothing of another host is loaded or sent to, whatever the dashboard's pages ask for. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; form-action 'self'";
/** The dashboard links fonts of another host; without them it uses the machine's own. */
const FOREIGN_LINK = /<link href="https?:[^>]*>/g;

const DESCRIPTION = 'Retrying or promoting is harmless: a run seals once, and its record is the truth.';

/** What operators see: some routes without, the queues with the password. It listens on the loopback only. */
export function createOps(open: readonly Router[], queues: readonly TicketQueue[], password: string): Koa {
  const board = new KoaAdapter();
  board.setBasePath(BOARD);
  createBullBoard({
    queues: queues.map((queue) => new BullMQAdapter(queue as never, { description: DESCRIPTION })),
    serverAdapter: board,
    options: { uiConfig: { boardTitle: 'Assay' } },
  });
  const app = new Koa();
  app.use(ownHostOnly);
  for (const router of open) app.use(router.routes());
  app.use(async (ctx, next) => {
    if (sameSecret(basicPassword(ctx.get('authorization')), password)) return next();
    ctx.status = 401;
    ctx.set('WWW-Authenticate', 'Basic realm="assay ops"');
  });
  app.use(board.registerPlugin() as never);
  return app;
}

/** The browser loads from our host alone, and sends the password for the pages of no other site. */
const ownHostOnly: Middleware = async (ctx, next) => {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  const isWrite = !['GET', 'HEAD'].includes(ctx.method);
  if (isWrite && ['cross-site', 'same-site'].includes(ctx.get('sec-fetch-site'))) {
    ctx.status = 403;
    return;
  }
  await next();
  if (typeof ctx.body === 'string') ctx.body = ctx.body.replace(FOREIGN_LINK, '');
};

function basicPassword(header: string): string {
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(header) ?? [];
  return Buffer.from(encoded, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
}

function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)));
}
