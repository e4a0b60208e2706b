import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';

/** Each query is refused with 422 and a pointer to its member. */
const refused: Readonly<Record<string, readonly [query: string, pointer: string][]>> = {
  '/infrastructure/usage': [
    ['meter=api.Requests', '/meter'],
    ['meter=null', '/meter'],
    ['granularity=week', '/granularity'],
    ['from=2026-01-01T24:00:00Z&to=2026-01-03T00:00:00Z&granularity=day', '/from'],
    ['from=2026-01-01T00:00:00Z&to=2026-01-02T24:00:00Z&granularity=day', '/to'],
    ['from=2026-01-01T00:00:00Z&to=2026-01-02T24:00:00Z&granularity=hour', '/to'],
    ['from=2026-01-01T00:00:00Z&to=2026-01-01T23:59:60Z&granularity=hour', '/to'],
    ['from=2026-02-29T00:00:00Z&to=2026-03-02T00:00:00Z&granularity=day', '/from'],
    ['from=2026-01-01T00:00:00&to=2026-01-02T00:00:00Z&granularity=day', '/from'],
    ['from=2026-01-01T00:30:00Z&to=2026-01-02T00:00:00Z&granularity=hour', '/from'],
    ['from=2026-01-02T00:00:00Z&to=2026-02-01T00:00:00Z&granularity=month', '/from'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-02T00:00:00Z&granularity=day', '/to'],
    ['from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z&granularity=day', '/to'],
    ['from=2025-01-01T00:00:00Z&to=2026-02-06T00:00:00Z&granularity=day', '/to'], // 401 days
  ],
  '/benchmarking/comparisons': [
    ['period=2026-13', '/period'],
    ['period=2026-1', '/period'],
    ['period=0000-01', '/period'],
    ['metric=nothing', '/metric'],
    [`cohort=${encodeURIComponent("all' or 1=1")}`, '/cohort'],
    ['cohort=region:', '/cohort'],
  ],
  '/marketplace/listings': [
    ['kind=Dataset', '/kind'],
    ['entitled=yes', '/entitled'],
    ['q=', '/q'],
    [`q=${'a'.repeat(101)}`, '/q'],
  ],
  '/workflows/library': [
    ['category=none', '/category'],
    ['status=withdrawn%00', '/status'],
    [`q=${'a'.repeat(101)}`, '/q'],
  ],
  '/workflows/installations': [],
  '/workflows/proof-of-value': [],
  '/infrastructure/lineage-exports': [],
  '/infrastructure/data-entitlements': [['action=Read', '/action']],
};

const paged = Object.keys(refused).filter((path) => path !== '/infrastructure/usage');

onOneBackend('The reads of workflows, infrastructure, the marketplace and benchmarking', (live) => {
  let tenancy: Tenancy;
  const get = (path: string) => clientOf(live(), tenancy.key).get(path);
  before(async () => {
    tenancy = await buildTenancy(live());
  });

  it('422 with a pointer to the member that is not valid', async () => {
    const common: [string, string][] = [
      ['limit=0', '/limit'],
      ['limit=-1', '/limit'],
      ['limit=1e2', '/limit'],
      ['limit=201', '/limit'],
      ['offset=5', '/offset'],
    ];
    for (const [path, own] of Object.entries(refused)) {
      for (const [query, pointer] of [...own, ...(paged.includes(path) ? common : [])]) {
        const { status, body } = await get(`${path}?${query}`);
        const found = [status, body.code, body.errors?.[0]?.pointer];
        expect(found, `${path}?${query}`).to.deep.equal([422, 'validation_failed', pointer]);
      }
    }
  });

  it('400 for a cursor that belongs to no list, to another list or to other filters', async () => {
    for (const path of paged) {
      for (const cursor of ['x', 'e30', '%00', 'a'.repeat(2_000)]) {
        const { status, body } = await get(`${path}?cursor=${cursor}`);
        expect(status, `${path} ${cursor.slice(0, 5)} ${body.code}`).to.be.oneOf([400, 422]);
      }
    }
    const first = await get('/workflows/library?limit=1');
    expect(first.body.page.next_cursor).to.be.a('string');
    const cursor = encodeURIComponent(first.body.page.next_cursor);
    for (const path of ['/marketplace/listings?', '/workflows/library?q=forecast&'])
      expect((await get(`${path}cursor=${cursor}`)).body.code, path).to.equal('invalid_cursor');
  });

  it('pages through the library without a gap or a repetition, and answers no search with an error', async () => {
    const keys: string[] = [];
    const all = (await get('/workflows/library?limit=100')).body.data.map(({ key }: any) => key);
    for (let path = '/workflows/library?limit=3'; keys.length <= all.length;) {
      const { body } = await get(path);
      keys.push(...body.data.map(({ key }: any) => key));
      if (body.page.next_cursor === null) break;
      path = `/workflows/library?limit=3&cursor=${encodeURIComponent(body.page.next_cursor)}`;
    }
    expect(keys).to.deep.equal(all);
    for (const word of ['%', '_', '\\', "'", '.*', '(((((', '\u202eabc', ' ', '"a', 'a:*&|!'])
      for (const path of ['/workflows/library', '/marketplace/listings']) {
        const { status, body } = await get(`${path}?q=${encodeURIComponent(word)}`);
        expect([status, Array.isArray(body.data)], `${path} ${word}`).to.deep.equal([200, true]);
      }
  });
});
