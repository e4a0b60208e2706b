import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect } from 'chai';
import Koa from 'koa';
import Type from 'typebox';
import { openApi } from '#api/derive/openapi.ts';
import { createRouter } from '#api/derive/router.ts';
import { problemAnswers } from '#api/http/problem.ts';
import { createLog } from '#lib/core/log.ts';
import { operationsWith, type Caller, type Deprecation } from '#lib/core/operation.ts';
import { Closed } from '#lib/core/schema.ts';

const defineOperation = operationsWith<undefined>();

function thing(name: string, deprecated?: Deprecation) {
  return defineOperation({
    key: `quant.${name}.get`,
    product: 'Quant',
    method: 'GET',
    path: `/quant/${name}`,
    scope: 'quant:models:read',
    summary: 'Reads a thing.',
    query: Closed({ size: Type.Optional(Type.Integer()) }),
    success: { status: 200, description: 'The thing.', schema: Closed({ name: Type.String() }) },
    problems: [],
    ...(deprecated ? { deprecated } : {}),
    handle: async () => ({ status: 200, body: { name }, headers: { Link: '</next>; rel="next"' } }),
  });
}

const catalog = [
  thing('current'),
  thing('old', { since: '2026-12-01' }),
  thing('leaving', { since: '2026-12-01', sunset: '2027-06-01', link: 'https://assay.example/leaving' }),
];

describe('a deprecated operation', () => {
  let url: string;
  let stop: () => void;

  before(async () => {
    const app = new Koa();
    const scopes = new Set(['quant:models:read']);
    app.use(problemAnswers(createLog('test', 'silent')));
    const router = createRouter(catalog, {
      access: () => (ctx, next) => {
        ctx.state['caller'] = { scopes, entitlements: scopes } as unknown as Caller;
        return next();
      },
      services: () => undefined,
      validateResponses: true,
    });
    app.use(router.routes());
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v2/quant`;
    stop = () => server.close();
  });

  after(() => stop());

  const headersOf = async (path: string) => (await fetch(`${url}/${path}`)).headers;

  it('sends the date of its deprecation, and no Sunset header if its end date is unknown', async () => {
    const headers = await headersOf('old');
    expect(headers.get('deprecation')).to.equal('@1796083200');
    expect(headers.get('sunset')).to.equal(null);
    expect(headers.get('link')).to.equal('</next>; rel="next"');
  });

  it('sends its end date, and adds the link to its deprecation notice to the other links of the response', async () => {
    const headers = await headersOf('leaving');
    expect(headers.get('deprecation')).to.equal('@1796083200');
    expect(headers.get('sunset')).to.equal('Tue, 01 Jun 2027 00:00:00 GMT');
    expect(headers.get('link')).to.equal(
      '</next>; rel="next", <https://assay.example/leaving>; rel="deprecation"',
    );
  });

  it('sends the deprecation headers with error responses too', async () => {
    const response = await fetch(`${url}/leaving?size=many`);
    expect(response.status).to.equal(422);
    expect(response.headers.get('deprecation')).to.equal('@1796083200');
    expect(response.headers.get('link')).to.equal('<https://assay.example/leaving>; rel="deprecation"');
  });

  it('is marked in the OpenAPI document, and no other operation is', () => {
    const paths = openApi(catalog, '0')['paths'] as Record<string, { get: { deprecated?: boolean } }>;
    const marked = Object.keys(paths).filter((path) => paths[path]!.get.deprecated);
    expect(marked).to.deep.equal(['/api/v2/quant/old', '/api/v2/quant/leaving']);
  });

  it('adds no header to the responses of other operations', async () => {
    const headers = await headersOf('current');
    for (const name of ['deprecation', 'sunset']) expect(headers.get(name), name).to.equal(null);
  });
});
