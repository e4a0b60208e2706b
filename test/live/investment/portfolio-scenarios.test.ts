import { expect } from 'chai';
import { sql } from 'kysely';
import { checkSeal } from '#lib/core/seal.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf, type Client } from '../../support/client.ts';
import { importSample } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';
import { serveModel } from '../../support/numeric-model.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';

const AS_OF = '2020-09-30';

onOneBackend('POST /investment/portfolios/{portfolio}/scenarios', function (live) {
  let tenancy: Tenancy;
  let client: Client;
  let scenarios: Record<string, any>;

  before(async () => {
    tenancy = await buildTenancy(live());
    client = clientOf(live(), tenancy.key);
    await importSample(live(), tenancy.workspace);
    await serveModel(live(), tenancy, { factors: ['KO', 'XOM'] });
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'mixed,Mixed,USD,taxable,fifo,,,2019-01-01',
      'plain,Plain,USD,taxable,fifo,,,2019-01-01',
    ]);
    await importPortfolioRows(live(), tenancy, 'events', [
      'mixed,R-0,deposit,2019-01-02,,,,100000,,,,,,',
      'mixed,R-1,buy,2019-01-03,KO,100,45,,,,,,,',
      'mixed,R-2,buy,2019-01-03,CVX,50,110,,,,,,,',
      'plain,P-1,buy,2019-01-03,CVX,25,110,,,,,,,',
      'plain,P-2,buy,2019-01-03,JNJ,25,130,,,,,,,',
    ]);
    const { status, body } = await client.post('/generative/scenarios', {
      regime: 'stressed',
      samples: 500,
      seed: 3,
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    scenarios = body;
  });

  const post = async (portfolio: string, body: Record<string, unknown>, { key = tenancy.key } = {}) => {
    const request = { scenario_run: scenarios['uid'], as_of: AS_OF, ...body };
    const answer = await clientOf(live(), key).post(`/investment/portfolios/${portfolio}/scenarios`, request);
    return { status: answer.status, body: answer.body as Record<string, any> };
  };

  it('201 maps positions to factors, adds up the contributions of the positions, seals the result, and replays after later events', async () => {
    const { status, body } = await post('mixed', { groups: 'sector' });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const { result } = body;
    expect(result.mapped.map((each: any) => [each.symbol, each.mapping, each.months])).to.deep.equal([
      ['CVX', 'beta', 60],
      ['KO', 'identity', null],
    ]);
    expect(result).to.include({ samples: 500, horizon: null, scenario_run: scenarios['uid'] });
    expect(result.hashes).to.include({
      consumed_run_hash: scenarios['result'].hashes.run_hash,
      samples_hash: scenarios['result'].hashes.samples_hash,
    });
    const shortfall = result.total.risk[0].expected_shortfall_minor;
    const parts = result.positions.map((each: any) => each.levels[0].expected_shortfall_minor as number);
    expect(parts.reduce((sum: number, each: number) => sum + each, 0)).to.equal(shortfall);
    expect(result.groups.map((each: any) => each.group)).to.deep.equal(['Consumer Staples', 'Energy']);
    const shown = await client.get(`/investment/portfolios/mixed?as_of=${AS_OF}`);
    expect(result.value_minor).to.equal(shown.body.totals[0].value_minor);
    await importPortfolioRows(live(), tenancy, 'events', [
      'mixed,R-9,buy,2019-02-01,KO,7,45,,,,,,2019-02-01,',
    ]);
    const replay = await assay(live(), 'replay', body['uid'], '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
    const listed = await client.get(`/investment/portfolio-scenarios?as_of=${AS_OF}&limit=1`);
    expect(listed.body.data[0]).to.include({ uid: body['uid'], portfolio: 'mixed' });
    expect((await client.get(`/investment/portfolio-scenarios/${body['uid']}`)).body).to.deep.equal(body);
  });

  it('201 draws the samples again if they are no longer stored, and draws the same specific returns in every portfolio', async () => {
    const first = (await post('plain', {})).body;
    const orm = openOrm(live().ownerUrl, 1);
    try {
      await inPlatform(orm, (em) =>
        sql`delete from run_matrix where run_uid = ${scenarios['uid']}`.execute(em.getKysely()),
      );
    } finally {
      await orm.close();
    }
    const again = (await post('plain', {})).body;
    expect(again['result']).to.deep.equal(first['result']);
    const meanOf = ({ result }: Record<string, any>) =>
      result.positions.find((each: any) => each.symbol === 'CVX').mean_minor as number;
    const twice = (await post('mixed', {})).body;
    expect(meanOf(twice)).to.be.closeTo(2 * meanOf(again), 2);
  });

  it('201 applies paths month by month to the portfolio', async () => {
    const paths = await client.post('/generative/paths', {
      regime: 'calm',
      paths: 200,
      horizon: 6,
      seed: 5,
    });
    const request = { scenario_run: paths.body.uid, groups: 'theme', specific: 'bootstrap' };
    const { status, body } = await post('mixed', request);
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body['result']).to.include({ horizon: 6, samples: 200 });
    expect(body['result'].months).to.have.length(6);
    const valueOf = (rows: { value_minor: number }[]) => rows.reduce((sum, row) => sum + row.value_minor, 0);
    expect(body['result'].groups.map((each: any) => each.group)).to.deep.equal([
      'defensive_staples',
      'fossil_energy',
    ]);
    expect(valueOf(body['result'].groups)).to.equal(valueOf(body['result'].positions));
    expect(body['result'].months[5].mean_minor).to.equal(body['result'].total.mean_minor);
  });

  it('404 for another workspace or an unknown portfolio, 422 for an unknown factor or a position without exposures', async () => {
    const stranger = await buildTenancy(live());
    await importPortfolioRows(live(), stranger, 'portfolios', ['own,Own,USD,taxable,fifo,,,2019-01-01']);
    expect((await post('own', {}, { key: stranger.key })).status).to.equal(404);
    expect((await post('none', {})).status).to.equal(404);
    const given = { kind: 'given', exposures: [{ symbol: 'KO', betas: [{ factor: 'ZZZ', beta: 1 }] }] };
    const faulty = await post('mixed', { mapping: given });
    expect([faulty.status, faulty.body['errors'][0].pointer]).to.deep.equal([
      422,
      '/mapping/exposures/0/betas/0/factor',
    ]);
    const unmapped = await post('mixed', { mapping: { kind: 'identity' } });
    expect([unmapped.status, unmapped.body['code'], unmapped.body['symbols']]).to.deep.equal([
      422,
      'exposure_unmapped',
      ['CVX'],
    ]);
  });
});
