import { expect } from 'chai';
import { canonicalHash, checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importCsv } from '../../support/import.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { onOneBackend } from '../../support/live.ts';

const SYMBOLS = ['FRA', 'FRB', 'FRC'];
const OPTIMIZATIONS = '/quant/compute/optimizations';
const request = {
  kind: 'frontier',
  portfolio: 'main',
  as_of: '2019-04-30',
  returns: { kind: 'historical' },
  risk: { frequency: 'monthly', window: 36 },
  points: 6,
};

/** Returns prices of 40 month ends until 2019-04-30 as CSV rows. */
function prices(): string[] {
  return SYMBOLS.flatMap((symbol, row) =>
    Array.from({ length: 40 }, (_, at) => {
      const date = new Date(Date.UTC(2016, 1 + at, 0)).toISOString().slice(0, 10);
      const wave = ((at * (7 - 2 * row)) % 11) - 5;
      return `${symbol},${date},${(100 + 0.3 * (row + 1) * at + wave * (0.5 + row)).toFixed(2)}`;
    }),
  );
}

onOneBackend('POST /quant/compute/optimizations with the kind frontier', (live) => {
  let tenancy: Tenancy;
  let client: Client;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importCsv(live(), tenancy.workspace, 'prices', ['symbol,date,close', ...prices()]);
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'main,Main,USD,taxable,fifo,,owner,2018-01-01',
    ]);
    await importPortfolioRows(live(), tenancy, 'events', [
      'main,R-0,deposit,2018-01-02,,,,100000,,,,,,',
      ...SYMBOLS.map((symbol, at) => `main,R-${at + 1},buy,2018-01-03,${symbol},200,100,,,,,,,`),
    ]);
  });

  it('201 seals the frontier and the resampled frontier, and replays after later events', async () => {
    const { status, body, headers } = await client.post(OPTIMIZATIONS, { ...request, paths: 40, seed: 5 });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    expect(body.uid).to.match(/^frn_/);
    const at = `/quant/compute/frontiers/${body.uid}`;
    expect(headers.get('location')).to.equal(`/api/v2${at}`);
    const { points, maximum_sharpe: best, resampled } = body.result;
    const returns = points.map((point: any) => point.expected_return);
    const risks = points.map((point: any) => point.volatility);
    expect(returns)
      .to.have.length(6)
      .and.to.deep.equal(returns.toSorted((a: number, b: number) => a - b));
    expect(risks).to.deep.equal(risks.toSorted((a: number, b: number) => a - b));
    expect(points[best].sharpe).to.equal(Math.max(...points.map((point: any) => point.sharpe)));
    expect(resampled.points).to.have.length(6);
    expect(resampled.infeasible).to.equal(0);

    await importPortfolioRows(live(), tenancy, 'events', [
      'main,R-9,sell,2019-04-01,FRA,50,110,,,,,,2019-04-02,',
    ]);
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(JSON.parse(replayed.stdout)).to.include({ identical: true, sealed_hash: body.seal.hash });
    const { covariance } = (await client.get(`${at}?include=covariance`)).body;
    expect(canonicalHash(covariance)).to.equal(body.result.covariance_sha256);
    const list = (await client.get('/quant/compute/frontiers?portfolio=main')).body.data;
    expect(list.map((each: any) => each.uid)).to.deep.equal([body.uid]);
  });

  it('201 states the portfolio of the objective, and the points after costs and taxes, and replays', async () => {
    const { status, body } = await client.post(OPTIMIZATIONS, {
      ...request,
      objective: { kind: 'maximum_sharpe' },
      constraints: { turnover_max: 0.4 },
      costs: { linear_bps: 10 },
      tax: { rates: { short_bps: 3_000, long_bps: 1_500 } },
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.result.chosen.turnover).to.be.at.most(0.4 + 1e-9);
    expect(body.result.points).to.have.length(6);
    for (const point of body.result.points)
      expect(point.net_return).to.be.closeTo(
        point.expected_return - (point.cost_minor + point.tax_minor) / body.result.value_minor,
        1e-12,
      );
    const replayed = await assay(live(), 'replay', body.uid, '--json');
    expect(JSON.parse(replayed.stdout)).to.include({ identical: true, sealed_hash: body.seal.hash });
  });

  it('422 for a frontier without expected returns, for conflicting limits and for members of a search', async () => {
    const codeOf = async (change: object) => {
      const { status, body } = await client.post(OPTIMIZATIONS, { ...request, ...change });
      return [status, body.code, ...(body.errors ?? []).map((each: any) => each.pointer)];
    };
    expect(await codeOf({ returns: { kind: 'none' } })).to.deep.equal([422, 'returns_required', '/returns']);
    expect(await codeOf({ constraints: { weight: { max: 0.2 } } })).to.deep.equal([
      422,
      'constraints_infeasible',
    ]);
    expect(await codeOf({ space: {}, points: 51 })).to.have.members([
      422,
      'validation_failed',
      '/space',
      '/points',
    ]);
    expect(await codeOf({ portfolio: undefined })).to.deep.equal([422, 'validation_failed', '/portfolio']);
    expect(await codeOf({ paths: 10, costs: { linear_bps: 1 } })).to.deep.equal([
      422,
      'validation_failed',
      '/paths',
    ]);
    expect(await codeOf({ portfolio: 'other' })).to.deep.equal([404, 'not_found']);
  });

  it('201 as a run of a separate model, and the index of reports lists the run', async () => {
    const { status, body } = await client.post('/quant/models/svc_frontier_v2/run', { input: request });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body.uid).to.match(/^frn_/);
    expect(body.model).to.include({ key: 'svc_frontier_v2' });
    expect(body.result.resampled).to.equal(null);
    const reports = (await client.get('/investment/reports?kind=frontier&portfolio=main')).body.data;
    expect(reports[0]).to.deep.include({
      uid: body.uid,
      href: `/api/v2/quant/compute/frontiers/${body.uid}`,
      seal_hash: body.seal.hash,
    });
    expect(reports[0].headline[0]).to.deep.equal({
      name: 'minimum_volatility',
      value: body.result.points[0].volatility,
      unit: 'fraction',
    });
  });

  it('403 without the scope to read portfolios', async () => {
    const { workspace } = tenancy;
    const { key } = await buildTenancy(live(), { workspace, scopes: ['quant:compute:run'] });
    const { status, body } = await clientOf(live(), key).post(OPTIMIZATIONS, request);
    expect([status, body.code]).to.deep.equal([403, 'insufficient_scope']);
  });
});
