import { timingSafeEqual } from 'node:crypto';
import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { KoaAdapter } from '@bull-board/koa';
import type Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { systemClock } from '#lib/core/clock.ts';
import { addressKey } from '#lib/core/network-address.ts';
import { sha256 } from '#lib/core/seal.ts';
import { createFailures } from '#lib/limits/failures.ts';
import { quotaTimes } from '#lib/limits/policy.ts';
import type { TicketQueue } from '#lib/pipeline/queue.ts';

const BOARD = '/queues';

/** Allows the dashboard's pages to load from and send to this host only. */
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; form-action 'self'";
/**
 * Matches the dashboard's links to fonts on another host. The links are removed, so the dashboard uses the
 * fonts of the machine.
 */
const FOREIGN_LINK = /<link href="https?:[^>]*>/g;

/**
 * The maximum number of wrong passwords per minute from one address. The rate factor multiplies this limit.
 * Beyond the limit, even the correct password is refused.
 */
const WRONG_PASSWORDS = 10;

const DESCRIPTION =
  'Retrying or promoting a job is harmless: a run is sealed only once, and the record of the run is authoritative.';

/**
 * Serves the operators' pages. The queue dashboard requires the password; the health checks and the metrics
 * do not. The server listens on loopback only.
 */
export function createOps(
  open: readonly Router[],
  queues: readonly TicketQueue[],
  { password, rateFactor }: { password: string; rateFactor: number },
): Koa {
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
  app.use(withPassword(password, quotaTimes(WRONG_PASSWORDS, rateFactor)));
  app.use(board.registerPlugin() as never);
  return app;
}

/** Requires the password. An address that sends too many wrong passwords has to wait. */
function withPassword(password: string, wrongMax: number): Middleware {
  const failures = createFailures(wrongMax, () => systemClock.now().getTime() / 1_000);
  return async (ctx, next) => {
    const header = ctx.get('authorization');
    const address = addressKey(ctx.ip);
    const waitS = failures.waitS(address);
    if (header !== '' && waitS > 0) {
      ctx.status = 429;
      ctx.set('Retry-After', String(waitS));
      return;
    }
    if (sameSecret(basicPassword(header), password)) return next();
    if (header !== '') failures.count(address);
    ctx.status = 401;
    ctx.set('WWW-Authenticate', 'Basic realm="assay ops"');
  };
}

/**
 * Restricts what browsers may do: a page loads only from this host, and a page of another site cannot send a
 * change.
 */
const ownHostOnly: Middleware = async (ctx, next) => {
  ctx.set('Content-Security-Policy', POLICY);
  ctx.set('X-Content-Type-Options', 'nosniff');
  ctx.set('Referrer-Policy', 'no-referrer');
  const isWrite = !['GET', 'HEAD'].includes(ctx.method);
  if (isWrite && isOfAnotherSite(ctx)) {
    ctx.status = 403;
    return;
  }
  await next();
  if (typeof ctx.body === 'string') ctx.body = ctx.body.replace(FOREIGN_LINK, '');
};

/**
 * Whether a page of another site sends the request. Every browser sends `Origin` with a request that changes
 * something. Over plain HTTP to another machine, a browser sends no `Sec-Fetch-Site`. A program that is not a
 * browser sends neither header.
 */
function isOfAnotherSite(ctx: Context): boolean {
  const [origin, site] = [ctx.get('origin'), ctx.get('sec-fetch-site')];
  const isForeign = origin !== '' && URL.parse(origin)?.host !== ctx.get('host');
  return isForeign || !['', 'same-origin', 'none'].includes(site);
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
