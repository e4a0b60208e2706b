import { timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import type Router from '@koa/router';
import Koa from 'koa';
import { sha256 } from '#lib/core/seal.ts';
import type { TicketQueue } from '#lib/pipeline/queue.ts';

const BOARD = '/queues';

/** What operators see: some routes without, the queues with the password. It listens on the loopback only. */
export function createOps(open: readonly Router[], queues: readonly TicketQueue[], password: string): Koa {
  const board = new KoaAdapter();
  board.setBasePath(BOARD);
  createBullBoard({ queues: queues.map((queue) => new BullMQAdapter(queue as never)), serverAdapter: board });
  const app = new Koa();
  for (const router of open) app.use(router.routes());
  app.use(async (ctx, next) => {
    if (sameSecret(basicPassword(ctx.get('authorization')), password)) return next();
    ctx.status = 401;
    ctx.set('WWW-Authenticate', 'Basic realm="assay ops"');
  });
  app.use(board.registerPlugin() as never);
  return app;
}

function basicPassword(header: string): string {
  const [, encoded = ''] = /^Basic (\S+)$/i.exec(header) ?? [];
  return Buffer.from(encoded, 'base64')
    .toString()
    .replace(/^[^:]*:/, '');
}

function sameSecret(given: string, expected: string): boolean {
  return timingSafeEqual(Buffer.from(sha256(given)), Buffer.from(sha256(expected)));
}
