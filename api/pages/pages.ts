import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import Router from '@koa/router';
import type { Operation } from '#lib/core/operation.ts';
import { Problem, problems, type ProblemCode } from '#lib/core/problem.ts';
import { openApi } from '../derive/openapi.ts';
import { answerFixed, fixed, type Fixed } from '../http/etag.ts';
import { addressOf, API_PREFIX } from '../derive/router.ts';

const SWAGGER = path.dirname(fileURLToPath(import.meta.resolve('swagger-ui-dist/package.json')));
const ASSETS = new Map([
  ['swagger-ui.css', 'text/css'],
  ['swagger-ui-bundle.js', 'text/javascript'],
  ['favicon-32x32.png', 'image/png'],
]);
const DOCS_POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; base-uri 'none'; " +
  "form-action 'none'; frame-ancestors 'none'; object-src 'none'";
const START = fixed(
  `window.onload = () => SwaggerUIBundle({ url: '${API_PREFIX}/openapi.json', dom_id: '#docs', deepLinking: true });`,
  'text/javascript',
);
const DOCS = fixed(
  page(
    'Assay API',
    '<link rel="stylesheet" href="/docs/swagger-ui.css"><div id="docs"></div>' +
      '<script src="/docs/swagger-ui-bundle.js"></script><script src="/docs/start.js"></script>',
  ),
  'text/html',
);

/** Serves the public pages: the OpenAPI document, its docs, and one page for each problem code. */
export function createPages(catalog: readonly Operation[], version: string): Router {
  const document = fixed(JSON.stringify(openApi(catalog, version)), 'application/json');
  const assets = new Map<string, Fixed>();
  const router = new Router();
  router.get(`${API_PREFIX}/openapi.json`, (ctx) => {
    ctx.set('Cache-Control', 'no-cache');
    answerFixed(ctx, document);
  });
  router.get('/docs', (ctx) => {
    ctx.set('Content-Security-Policy', DOCS_POLICY);
    answerFixed(ctx, DOCS);
  });
  router.get('/docs/start.js', (ctx) => {
    answerFixed(ctx, START);
  });
  router.get('/docs/:asset', (ctx) => {
    const name = ctx['params'].asset as string;
    const type = ASSETS.get(name);
    if (!type) throw new Problem('route_not_found', 'There is no resource at this path.');
    const asset = assets.get(name) ?? fixed(readFileSync(path.join(SWAGGER, name)), type);
    assets.set(name, asset);
    ctx.set('Cache-Control', 'public, max-age=86400');
    answerFixed(ctx, asset);
  });
  router.get('/problems/:code', (ctx) => {
    const code = ctx['params'].code as string;
    if (!Object.hasOwn(problems, code)) throw new Problem('not_found', 'There is no such problem code.');
    const { status, title } = problems[code as ProblemCode];
    const operations = catalog.filter((operation) => operation.problems.includes(code as ProblemCode));
    if (ctx.accepts('html', 'json') === 'json') {
      ctx.body = { code, status, title, operations: operations.map((operation) => operation.key) };
      return;
    }
    ctx.type = 'html';
    ctx.body = page(
      code,
      `<h1>${code}</h1><p>${title}.</p><p>HTTP status ${status}.</p><ul>` +
        operations.map((each) => `<li>${each.method} ${addressOf(each)}</li>`).join('') +
        '</ul>',
    );
  });
  return router;
}

function page(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body>${body}</body></html>`;
}
