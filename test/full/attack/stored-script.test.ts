import { expect } from 'chai';
import type { TSchema } from 'typebox';
import { catalog } from '#api/catalog.ts';
import { exampleOf } from '#api/derive/example.ts';
import { problems } from '#lib/core/problem.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { Application } from '#lib/access/application.entity.ts';
import { Person } from '#lib/access/person.entity.ts';
import { Workspace } from '#lib/access/workspace.entity.ts';
import { call, pathOf, send, type Answer } from '../../contract/call.ts';
import { operations } from '../../contract/operations.ts';
import { createAiConnection } from '../../support/ai-connection.ts';
import { OPS_PASSWORD } from '../../support/backends.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { createModel } from '../../support/numeric-model.ts';
import { importTiny } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { inTurn } from '../../support/repetitions.ts';

/**
 * A text that occurs in each script, so that the test can find the script. A browser would execute the scripts if a
 * page contained them unchanged.
 */
const MARK = 'attack4711';
const SCRIPT = `"'></title></script><script>${MARK}()</script><img src=x onerror=${MARK}()>`;
const AS_MARKUP = new RegExp(`<script>${MARK}|<img src=x onerror=${MARK}`);
/** DOM operations that insert a text into a page as markup. */
const SINKS = /\.(innerHTML|outerHTML|insertAdjacentHTML|srcdoc)\b|document\.write|\beval\(|new Function\(/;

onOneBackend('Script in every text', function (live) {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importTiny(live(), tenancy.workspace);
    await inPlatform(live().orm('operator'), async (em) => {
      const { workspace, application, person } = tenancy;
      await em.nativeUpdate(Workspace, { uid: workspace }, { name: SCRIPT }, { filters: false });
      await em.nativeUpdate(Application, { uid: application }, { name: SCRIPT }, { filters: false });
      await em.nativeUpdate(Person, { uid: person }, { name: SCRIPT }, { filters: false });
    });
    await createAiConnection(live(), tenancy, { label: SCRIPT });
    await createModel(live(), tenancy);
    const hook = [
      '--workspace',
      tenancy.workspace,
      '--url',
      `https://example.com/?${encodeURIComponent(SCRIPT)}`,
    ];
    await assay(live(), 'webhook', 'create', ...hook, '--description', SCRIPT);
  });

  /** Expects an answer that is not a page, and that no browser treats as a page. */
  function expectData(answer: Answer, about: string): void {
    const { headers, status } = answer;
    if (status === 204 || status === 304) return;
    const type = headers.get('content-type') ?? '';
    expect(type, about).to.match(
      /^(application\/(problem\+)?json|application\/x-ndjson|text\/csv|text\/plain|text\/event-stream|$)/,
    );
    expect(headers.get('x-content-type-options'), about).to.equal('nosniff');
    expect(headers.get('content-security-policy'), about).to.contain("default-src 'none'");
  }

  function expectPage({ headers, body }: Answer, about: string): void {
    expect(headers.get('content-type'), about).to.match(/^text\/html/);
    expect(String(body), about).to.not.match(AS_MARKUP);
    expect(headers.get('x-content-type-options'), about).to.equal('nosniff');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy, about).to.match(/default-src '(none|self)'/);
    const scripts = /script-src ([^;]*)/.exec(policy)?.[1] ?? /default-src ([^;]*)/.exec(policy)![1]!;
    expect(scripts, about).to.not.match(/unsafe-inline|unsafe-eval|https?:|\*/);
  }

  for (const operation of operations.filter(({ body }) => body)) {
    it(`in a request to ${operation.key} is returned only as data, whether it is rejected or stored`, async () => {
      const body = poisoned(operation.body!, exampleOf(operation.body!));
      const headers = {
        prefer: 'respond-async',
        'idempotency-key': encodeURIComponent(SCRIPT),
        accept: 'text/html, */*',
      };
      expectData(await call(live(), operation, { key: tenancy.key, body, headers }), operation.key);
    });
  }

  for (const [turn, operation] of operations.filter(({ method }) => method === 'GET').entries()) {
    it(`that is stored, or that is sent to ${operation.key}, is returned only as data`, async () => {
      const { key } = tenancy;
      for (const accept of inTurn(
        ['text/html', 'text/html, */*', 'text/csv', 'application/xhtml+xml'],
        turn,
      )) {
        const headers = { accept, 'x-request-id': encodeURIComponent(SCRIPT), 'user-agent': SCRIPT };
        expectData(await call(live(), operation, { key, headers }), operation.key);
        const query = `?cursor=${encodeURIComponent(SCRIPT)}&${encodeURIComponent(SCRIPT)}=1`;
        expectData(await call(live(), operation, { key, headers, query }), `${operation.key}, the query`);
        const parameter = encodeURIComponent(SCRIPT);
        expectData(await call(live(), operation, { key, headers, parameter }), `${operation.key}, the path`);
      }
    });
  }

  it('in a request for a page is not in the page, whose policy forbids foreign scripts', async () => {
    const script = encodeURIComponent(SCRIPT);
    const headers = {
      accept: 'text/html',
      'user-agent': SCRIPT,
      referer: `https://a/${script}`,
      'x-request-id': script,
    };
    const pages = ['/docs', '/verify', ...Object.keys(problems).map((code) => `/problems/${code}`)];
    for (const path of pages) {
      for (const query of ['', `?${script}=${script}`]) {
        const answer = await send(live(), 'GET', path + query, { headers });
        expect(answer.status, path).to.equal(200);
        expectPage(answer, path);
      }
    }
    for (const path of [
      `/problems/${script}`,
      `/docs/${script}`,
      `/verify/${script}`,
      `/${script}`,
      `/api/v2/${script}`,
    ]) {
      expectData(await send(live(), 'GET', path, { headers }), path);
    }
    const hosts = [
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-authorization-server',
      '/docs',
    ];
    for (const path of hosts) {
      const { body } = await send(live(), 'GET', path, { headers: { ...headers, host: 'evil.example' } });
      expect(JSON.stringify(body)).to.not.match(AS_MARKUP);
    }
  });

  it('is not in the scripts of the pages, which contain no unsafe DOM writes', async () => {
    for (const path of ['/verify', '/verify/verify-pack.mjs', '/docs/start.js']) {
      expect((await send(live(), 'GET', path)).body, path).to.not.match(SINKS);
    }
    const { body } = await send(live(), 'GET', '/api/v2/openapi.json');
    expect(JSON.stringify(body)).to.not.contain(MARK);
  });

  it('is not in the pages of the operators', async () => {
    const script = encodeURIComponent(SCRIPT);
    const authorization = `Basic ${Buffer.from(`ops:${OPS_PASSWORD}`).toString('base64')}`;
    const ops = { url: live().opsUrl };
    for (const path of [
      '/queues',
      '/queues/queue/numerics',
      `/queues/queue/${script}`,
      `/queues/?${script}`,
    ]) {
      const answer = await send(ops, 'GET', path, { headers: { authorization, accept: 'text/html' } });
      expect(answer.status, path).to.equal(200);
      expectPage(answer, path);
    }
    for (const path of [
      '/queues/api/queues?activeQueue=numerics',
      `/queues/api/queues?activeQueue=${script}`,
      '/healthz',
      '/readyz',
      '/metrics',
      `/${script}`,
    ]) {
      const { headers, body } = await send(ops, 'GET', path, { headers: { authorization } });
      if (headers.get('content-type')?.startsWith('text/html'))
        expect(String(body), path).to.not.match(AS_MARKUP);
      expect(headers.get('x-content-type-options'), path).to.equal('nosniff');
    }
  });

  it('was in fact stored and returned by operations with text fields', async () => {
    const { body } = await send(live(), 'GET', pathOf(catalog.find(({ key }) => key === 'workspace.get')!), {
      key: tenancy.key,
    });
    expect(body.name).to.equal(SCRIPT);
    expect(body.application.name).to.equal(SCRIPT);
  });
});

type Shape = {
  type?: string;
  pattern?: string;
  format?: string;
  enum?: unknown[];
  maxLength?: number;
  properties?: Record<string, TSchema>;
  items?: TSchema;
};

/** Returns an example with scripts in place of its free texts. */
function poisoned(schema: TSchema, example: unknown): unknown {
  const shape = schema as Shape;
  if (typeof example === 'string') {
    const isFree = shape.enum === undefined && shape.format === undefined;
    return isFree ? SCRIPT.slice(0, shape.maxLength ?? SCRIPT.length) : example;
  }
  if (Array.isArray(example)) return example.map((each) => poisoned(shape.items ?? {}, each));
  if (typeof example !== 'object' || example === null) return example;
  return Object.fromEntries(
    Object.entries(example).map(([name, each]) => [name, poisoned(shape.properties?.[name] ?? {}, each)]),
  );
}
