import Router from '@koa/router';
import { expect } from 'chai';
import fc from 'fast-check';
import type { Context } from 'koa';
import { catalog } from '#api/catalog.ts';
import { GroupedRoutes } from '#api/derive/grouped-routes.ts';

const PREFIX = '/api/v2';
const pass = () => undefined;
const routesOfCatalog = catalog.map(({ path, method }) => ({
  path: path.replace(/\{(\w+)\}/g, ':$1') as `/${string}`,
  method,
}));

describe('grouped routes', () => {
  it('match the same routes as one router with all of them', () => {
    const grouped = new GroupedRoutes(PREFIX);
    const router = new Router({ prefix: PREFIX });
    for (const { path, method } of routesOfCatalog) {
      grouped.register(path, method, [pass]);
      router.register(path, [method], pass);
    }
    const paths = [...new Set(routesOfCatalog.map(({ path }) => path))];
    const requested = fc
      .tuple(fc.constantFrom(...paths), fc.constantFrom('', '/', '/more', '//', '%2f'), fc.boolean())
      .map(([path, end, isUpper]) => PREFIX + (isUpper ? path.toUpperCase() : path) + end);
    const anyPath = fc.oneof(
      requested,
      fc.constantFrom('', '/', PREFIX, `${PREFIX}/`, '/api/v1/quant', '/quant/features'),
    );
    const described = (routes: Pick<Router, 'match'>, path: string, method: string) => {
      const { path: matched, pathAndMethod, route } = routes.match(path, method);
      return [matched, pathAndMethod]
        .map((layers) => layers.map((layer) => [layer.path, layer.methods]))
        .concat([route] as never);
    };
    fc.assert(
      fc.property(anyPath, fc.constantFrom('GET', 'POST', 'PUT', 'DELETE', 'HEAD'), (path, method) => {
        expect(described(grouped, path, method)).to.deep.equal(described(router, path, method));
      }),
      { numRuns: 500 },
    );
  });

  it('pass a request on if no route matches it', async () => {
    const grouped = new GroupedRoutes(PREFIX);
    grouped.register('/things/:uid', 'GET', [() => 'taken']);
    const answerTo = (path: string) =>
      grouped.routes()({ path, method: 'GET', request: {} } as Context, async () => 'passed on');
    expect(await answerTo(`${PREFIX}/things/1`)).to.equal('taken');
    for (const path of ['/', PREFIX, `${PREFIX}/things`, `${PREFIX}/others/1`, '/api/v1/things/1'])
      expect(await answerTo(path), path).to.equal('passed on');
  });

  it('reject a path whose first segment is not a fixed text', () => {
    for (const path of ['/:uid', '/report-:uid', '/{*rest}', '/'] as const)
      expect(() => new GroupedRoutes(PREFIX).register(path, 'GET', [pass]), path).to.throw(
        'not a fixed text',
      );
  });
});
