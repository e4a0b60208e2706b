import { expect } from 'chai';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { clientOf } from '../../support/client.ts';
import { onOneBackend } from '../../support/live.ts';
import { importMarket, instrumentOf, marketLines } from '../../support/market.ts';

onOneBackend('Market data', (live) => {
  let tenancy: Tenancy;
  let apple: string;
  before(async () => {
    tenancy = await buildTenancy(live());
    for (const name of [
      'constituents_history',
      'prices_daily',
      'corporate_actions',
      'fundamentals',
    ] as const) {
      await importMarket(live(), tenancy.workspace, name);
    }
    apple = await instrumentOf(live(), tenancy, 'AAPL');
  });

  const get = (path: string, headers: Record<string, string> = {}) =>
    clientOf(live(), tenancy.key).get(path, headers);
  const raw = (path: string, headers: Record<string, string>) =>
    fetch(`${live().url}/api/v2${path}`, { headers: { authorization: `Bearer ${tenancy.key}`, ...headers } });
  const prices = (query: string) => get(`/data/instruments/${apple}/prices?${query}`);

  it('200 prices as the file has them, oldest first', async () => {
    const { status, body } = await prices('from=2020-08-28&to=2020-08-31');
    expect(status).to.equal(200);
    expect(body.data).to.deep.equal([
      {
        observed_on: '2020-08-28',
        open: '126.012',
        high: '126.442',
        low: '124.577',
        close: '124.808',
        volume: '187630000',
        adjustment: 'none',
        factor: 1,
        known_at: '2020-08-28T23:59:59.999Z',
        known_at_basis: 'assumed',
      },
      {
        observed_on: '2020-08-31',
        open: '127.58',
        high: '131',
        low: '126',
        close: '129.04',
        volume: '225702700',
        adjustment: 'none',
        factor: 1,
        known_at: '2020-08-31T23:59:59.999Z',
        known_at_basis: 'assumed',
      },
    ]);
  });

  it('200 every row over pages, as CSV and as JSON lines alike', async () => {
    const rows: unknown[] = [];
    let next: string | null = `/data/instruments/${apple}/prices?limit=40`;
    while (next) {
      const { body, headers } = await get(next);
      rows.push(...body.data);
      next = headers.get('link')?.match(/^<\/api\/v2([^>]+)>/)?.[1] ?? null;
    }
    expect(rows).to.have.lengthOf(marketLines('prices_daily').length - 1);
    const lines = await raw(`/data/instruments/${apple}/prices`, { accept: 'application/x-ndjson' });
    expect(lines.status).to.equal(200);
    const text = await lines.text();
    expect(
      text
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    ).to.deep.equal(rows);
  });

  it('200 the sector of an instrument, with when it was known', async () => {
    const { body } = await get(`/data/instruments/${await instrumentOf(live(), tenancy, 'GOOGL')}`);
    expect(body.sectors).to.deep.equal([]);
  });
});
