import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import Router from '@koa/router';
import type { Context } from 'koa';

const PAGE = readFileSync(new URL('../../lib/trust/verify-pack.html', import.meta.url), 'utf8');
const VERIFIER = readFileSync(new URL('../../lib/trust/verify-pack.mjs', import.meta.url), 'utf8');

/**
 * Serves the two verifiers of evidence packs: the verifier page, and the verifier file to download. The
 * content policy of the page allows only its own script.
 */
export function verifyPage(): Router {
  const [script, style] = ['script', 'style'].map((tag) => `'sha256-${digest(inside(tag))}'`);
  const policy = `default-src 'none'; script-src ${script}; style-src ${style}; frame-ancestors 'none'`;
  const router = new Router();
  router.get('/verify', (ctx: Context) => {
    ctx.set('Content-Security-Policy', policy);
    ctx.type = 'html';
    ctx.body = PAGE;
  });
  router.get('/verify/verify-pack.mjs', (ctx: Context) => {
    ctx.type = 'text/javascript';
    ctx.body = VERIFIER;
  });
  return router;
}

function inside(tag: string): string {
  return new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(PAGE)![1]!;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}
