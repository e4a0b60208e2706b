import { catalog } from '#api/catalog.ts';
import { expect } from 'chai';
import { exampleOf } from '#api/derive/example.ts';
import { openApi } from '#api/derive/openapi.ts';
import { API_PREFIX } from '#api/derive/router.ts';
import { newUid } from '#lib/core/id.ts';
import type { Operation } from '#lib/core/operation.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { problems, type ProblemCode } from '#lib/core/problem.ts';
import { version } from '#lib/core/version.ts';
import { buildTenancy, type Tenancy } from '../support/build.ts';
import { onOneBackend } from '../support/live.ts';
import { inTurn, isExhaustive } from '../support/repetitions.ts';
import { call, expectListed, expectProblem, pathOf, send, withoutUniqueParts } from './call.ts';
import { isOfEveryWorkspace, isOfWorkspace, make, placeOf } from './resources.ts';
import { operations, scoped } from './operations.ts';

onOneBackend('the routing of unknown resources', (live) => {
  let tenancy: Tenancy;
  /**
   * The tenancies that cannot access the resources: the same workspace in its other environment, and another
   * workspace.
   */
  let strangers: Tenancy[];

  before(async () => {
    tenancy = await buildTenancy(live());
    strangers = [
      await buildTenancy(live(), { workspace: tenancy.workspace, environment: 'production' }),
      await buildTenancy(live()),
    ];
  });

  const made = new Map<string, Promise<string>>();
  /**
   * Returns a resource of a path and a tenancy. The resource is created once for all operations, because
   * callers without access cannot change it.
   */
  const madeOnce = (operation: Operation, tenant: Tenancy): Promise<string> => {
    if (isExhaustive) return make(live(), operation, tenant);
    const place = `${placeOf(operation)} ${tenant.application}`;
    if (!made.has(place)) made.set(place, make(live(), operation, tenant));
    return made.get(place)!;
  };

  const onResources = operations.filter(({ path }) => path.includes('{uid}'));
  for (const [turn, operation] of onResources.entries()) {
    // A caller must not be able to distinguish a uid of another tenant, an unknown uid and a malformed uid.
    it(`answers an identical 404 not_found for ${operation.key} on a foreign, an unknown and a malformed uid`, async () => {
      const isRead = operation.method === 'GET';
      const own = await (isRead ? madeOnce(operation, tenancy) : make(live(), operation, tenancy));
      const foreign = await Promise.all(
        strangers
          .filter(({ workspace }) => !isOfWorkspace(operation) || workspace !== tenancy.workspace)
          .filter(({ workspace }) => !isOfEveryWorkspace(operation) || workspace === tenancy.workspace)
          .map((stranger) => madeOnce(operation, stranger)),
      );
      const malformed = [
        'x',
        '0',
        '%00',
        '%zz',
        '%E0%A4%A',
        'a%2Fb',
        '%20',
        '..%2f',
        own.toLowerCase(),
        `${own}0`,
        'x'.repeat(4_000),
      ];
      const unknown = newUid(prefixes.themeFactorRun);
      const body = operation.body && exampleOf(operation.body);
      const ask = (parameter: string) => call(live(), operation, { key: tenancy.key, body, parameter });
      const expected = await ask(unknown);
      expectProblem(expected, 'not_found');
      expectListed(expected, operation);
      const others = [...malformed, newUid(prefixes.workspace), tenancy.workspace];
      for (const parameter of [...foreign, ...inTurn(others, turn, 4)]) {
        expect(withoutUniqueParts(await ask(parameter)), parameter).to.deep.equal(
          withoutUniqueParts(expected),
        );
      }
      const found = await ask(own);
      expect(found.body.code, JSON.stringify(found.body)).to.not.equal('not_found');
    });
  }

  for (const [turn, path] of [...new Set(scoped.map((operation) => operation.path))].entries()) {
    it(`answers 405 with Allow on ${path} for an unsupported method`, async () => {
      const here = scoped.filter((operation) => operation.path === path);
      const methods = here.flatMap(({ method }): string[] => (method === 'GET' ? ['GET', 'HEAD'] : [method]));
      const others = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'].filter(
        (method) => !methods.includes(method),
      );
      for (const method of inTurn(others, turn)) {
        for (const key of [tenancy.key, undefined]) {
          const answer = await send(live(), method, pathOf(here[0]!), { key });
          expectProblem(answer, 'method_not_allowed', method);
          expect(answer.headers.get('allow'), method).to.equal(methods.sort().join(', '));
        }
      }
    });
  }

  it('answers 404 route_not_found for an unknown path, with and without a credential', async () => {
    const paths = [
      '',
      '/',
      '/nothing',
      '/investment',
      '/investment/theme-watch',
      '//quant/compute/jobs',
      '/quant/compute/jobs/x/y/z',
    ];
    for (const path of paths) {
      for (const key of [tenancy.key, undefined]) {
        expectProblem(await send(live(), 'GET', API_PREFIX + path, { key }), 'route_not_found', path);
      }
    }
    for (const path of [
      '/',
      '/api',
      '/api/v1/quant/compute/jobs',
      '/docs/missing.js',
      '/docs/..%2fpackage.json',
      '/docs/__proto__',
      '/docs/constructor',
    ]) {
      expectProblem(await send(live(), 'GET', path), 'route_not_found', path);
    }
  });
});

onOneBackend('The public pages', (live) => {
  for (const code of Object.keys(problems) as ProblemCode[]) {
    it(`explain ${code} at the URL that is the type of problems with this code`, async () => {
      const { status, title } = problems[code];
      const page = await send(live(), 'GET', `/problems/${code}`, { headers: { accept: 'text/html' } });
      expect(page.status).to.equal(200);
      expect(page.headers.get('content-type')).to.match(/^text\/html/);
      expect(page.body).to.contain(code).and.to.contain(title).and.to.contain(String(status));
      const asData = await send(live(), 'GET', `/problems/${code}`, {
        headers: { accept: 'application/json' },
      });
      const declaring = catalog.filter((operation) => operation.problems.includes(code));
      expect(asData.body).to.deep.equal({ code, status, title, operations: declaring.map(({ key }) => key) });
    });
  }

  it('answer 404 for an unknown code', async () => {
    for (const code of ['nothing', '__proto__', 'constructor', 'toString']) {
      expectProblem(await send(live(), 'GET', `/problems/${code}`), 'not_found', code);
    }
  });

  it('serve the OpenAPI document and the page that shows it', async () => {
    const { status, body } = await send(live(), 'GET', `${API_PREFIX}/openapi.json`);
    expect(status).to.equal(200);
    expect(body).to.deep.equal(JSON.parse(JSON.stringify(openApi(catalog, version))));
    const page = await send(live(), 'GET', '/docs');
    for (const path of [
      `${API_PREFIX}/openapi.json`,
      `${API_PREFIX}/changes`,
      '/docs',
      '/docs/swagger-ui.css',
    ]) {
      const etag = (await send(live(), 'GET', path)).headers.get('etag')!;
      const again = await send(live(), 'GET', path, { headers: { 'if-none-match': etag } });
      expect([again.status, again.headers.get('etag')], path).to.deep.equal([304, etag]);
    }
    expect(page.status).to.equal(200);
    const assets = [...(page.body as string).matchAll(/(?:href|src)="([^"]+)"/g)].map(([, asset]) => asset!);
    expect(assets.length).to.be.greaterThan(2);
    expect(page.headers.get('content-security-policy')).to.contain("frame-ancestors 'none'");
    for (const asset of assets) expect((await send(live(), 'GET', asset)).status, asset).to.equal(200);
  });

  it('forbid storing, content sniffing and framing, like every other response', async () => {
    const { key } = await buildTenancy(live());
    const answers = await Promise.all([
      ...catalog.map((operation) => call(live(), operation, { key, query: '?surplus=1' })),
      send(live(), 'GET', `${API_PREFIX}/quant/compute/jobs`, { key }),
      send(live(), 'GET', '/nothing'),
    ]);
    for (const { headers } of answers) {
      expect(headers.get('cache-control')).to.equal('no-store');
      expect(headers.get('x-content-type-options')).to.equal('nosniff');
      expect(headers.get('content-security-policy')).to.contain("default-src 'none'");
      expect(headers.get('referrer-policy')).to.equal('no-referrer');
      expect(headers.get('x-frame-options')).to.equal('DENY');
    }
  });
});
