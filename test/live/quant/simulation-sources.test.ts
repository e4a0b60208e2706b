import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { dailyLines, pricesOfPath, weekdays, type DailyPath } from '../../support/daily-prices.ts';
import { importCsv } from '../../support/import.ts';
import { importPortfolioRows } from '../../support/imported-portfolio.ts';
import { onOneBackend } from '../../support/live.ts';
import { serveModel } from '../../support/numeric-model.ts';
import { asSuperuser } from '../../support/rows.ts';

const paths: DailyPath[] = [
  { symbol: 'SIA', start: 100, drift: 0.0009, swing: 0.012 },
  { symbol: 'SIB', start: 50, drift: 0.0004, swing: 0.021 },
];
const days = weekdays('2017-01-02', 900);
const to = days.at(-1)!;
const priceOf = new Map(paths.map((path) => [path.symbol, pricesOfPath(path, days.length).map(Number)]));
/** The rows of the last day of each month, apart from the last month, which is not complete. */
const monthEnds = days.flatMap((day, at) =>
  at + 1 < days.length && days[at + 1]!.slice(0, 7) !== day.slice(0, 7) ? [at] : [],
);

/** Returns the mean growth of values over the months after `first`. */
function meanGrowth(valueAt: (row: number) => number, first = 0): number {
  const growth = monthEnds.slice(first + 1).map((row, at) => valueAt(row) / valueAt(monthEnds[first + at]!));
  return growth.reduce((total, each) => total + each, 0) / growth.length;
}

onOneBackend('A simulation with a given source', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importCsv(live(), tenancy.workspace, 'prices', dailyLines(paths, days));
    await importPortfolioRows(live(), tenancy, 'portfolios', [
      'sim,Main,USD,taxable,fifo,,simulated,2017-01-02',
      'bare,Bare,USD,taxable,fifo,,simulated,2017-01-02',
    ]);
    await importPortfolioRows(live(), tenancy, 'events', [
      'sim,R-1,deposit,2017-01-03,,,,100000,,,,,,',
      'sim,R-2,buy,2017-01-03,SIA,300,100,,,,,,,',
      'sim,R-3,buy,2017-01-03,SIB,600,50,,,,,,,',
    ]);
  });

  const simulate = async (body: object, key = tenancy.key) => {
    const answer = await clientOf(live(), key).post('/quant/compute/simulations', {
      horizon: 12,
      seed: 1,
      ...body,
    });
    return { status: answer.status, body: answer.body as Record<string, any> };
  };
  const expectReplayed = async (uid: string) => {
    const replay = await assay(live(), 'replay', uid, '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
  };
  const source = { kind: 'history', portfolio: 'sim', to, method: 'independent' };
  const closeTo = (found: number, expected: number) => expect(found / expected).to.be.closeTo(1, 1e-8);

  it('201 draws the past returns of the positions of a portfolio at their weights', async () => {
    const { status, body } = await simulate({ source });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const [own, other] = ['SIA', 'SIB'].map((symbol) => priceOf.get(symbol)!);
    const values = [300 * own!.at(-1)!, 600 * other!.at(-1)!, 40_000].map((each) => Math.round(each * 100));
    const total = values[0]! + values[1]! + values[2]!;
    const months = monthEnds.slice(1).map((row, at) => {
      const before = monthEnds[at]!;
      return (
        1 +
        [own!, other!].reduce(
          (sum, prices, place) => sum + (values[place]! / total) * (prices[row]! / prices[before]! - 1),
          0,
        )
      );
    });
    const mean = months.reduce((sum, each) => sum + each, 0) / months.length;
    expect(body['input'])
      .to.include({ initial_minor: null })
      .and.to.deep.include({ assets: ['sim'] });
    expect(body['result'].portfolio).to.deep.equal({ currency: 'USD', value_minor: total });
    expect(body['result'].history.months).to.equal(months.length);
    closeTo(body['result'].closed_form.mean_minor, total * mean ** 12);
    await expectReplayed(body['uid']);
  });

  it('201 draws the returns of a portfolio as it was held', async () => {
    const { status, body } = await simulate({
      source: { ...source, basis: 'realised' },
      initial_minor: 1_000_000_000,
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    const held = (row: number) => 40_000 + 300 * priceOf.get('SIA')![row]! + 600 * priceOf.get('SIB')![row]!;
    closeTo(body['result'].closed_form.mean_minor, 1e9 * meanGrowth(held) ** 12);
    await expectReplayed(body['uid']);
    const later = await simulate({
      source: { ...source, basis: 'realised', from: days[200] },
      initial_minor: 1,
    });
    expect(later.body['result'].history.months).to.be.below(body['result'].history.months);
  });

  it('201 uses the weights of a portfolio for the assets of another source', async () => {
    const { status, body } = await simulate({
      source: { kind: 'history', symbols: ['SIB', 'SIA'], to },
      portfolio: 'sim',
      rebalance: 'never',
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    const values = [600 * priceOf.get('SIB')!.at(-1)!, 300 * priceOf.get('SIA')!.at(-1)!].map((each) =>
      Math.round(each * 100),
    );
    const { weights, value_minor: value } = body['result'].portfolio;
    expect(weights[0]).to.be.closeTo(values[0]! / (values[0]! + values[1]!), 1e-12);
    expect(value).to.equal(values[0]! + values[1]! + 4_000_000);
    await expectReplayed(body['uid']);
  });

  it('422 points to members that do not fit the portfolio; 404 or 503 for a portfolio without returns', async () => {
    const faultOf = async (body: object) => {
      const answer = await simulate(body);
      expect(answer.status, JSON.stringify(answer.body)).to.equal(422);
      const [first] = answer.body['errors'];
      return [first.pointer, first.code];
    };
    const symbols = { kind: 'history', symbols: ['SIA'], to };
    expect(await faultOf({ source: symbols, portfolio: 'sim' })).to.deep.equal([
      '/portfolio',
      'not_an_asset',
    ]);
    expect(await faultOf({ source: symbols, portfolio: 'sim', weights: [1] })).to.deep.equal([
      '/portfolio',
      'weights_given',
    ]);
    expect(await faultOf({ source: { ...source, symbols: ['SIA'] } })).to.deep.equal([
      '/source/portfolio',
      'source_given',
    ]);
    expect(await faultOf({ source: { kind: 'history' } })).to.deep.equal(['/source/symbols', 'required']);
    expect(await faultOf({ source: { ...symbols, basis: 'realised' } })).to.deep.equal([
      '/source/basis',
      'without_portfolio',
    ]);
    expect(await faultOf({ source: { ...source, to: '2999-01-01' } })).to.deep.equal([
      '/source/to',
      'in_future',
    ]);
    const flows = [{ from: 1, to: 1, amount_minor: -900_000_000_000 }];
    expect(await faultOf({ source, flows })).to.deep.equal(['/flows/0/amount_minor', 'above_wealth']);
    const unknown = await simulate({ source: { ...source, portfolio: 'nobody' } });
    expect([unknown.status, unknown.body['code']]).to.deep.equal([404, 'not_found']);
    const bare = await simulate({ source: { ...source, portfolio: 'bare' } });
    expect([bare.status, bare.body['code']]).to.deep.equal([503, 'market_history_insufficient']);
    const worthless = await simulate({ source: symbols, portfolio: 'bare' });
    expect([worthless.status, worthless.body['code']]).to.deep.equal([422, 'not_identifiable']);
  });

  it('403 for a portfolio without the scope to read portfolios', async () => {
    const { key } = await buildTenancy(live(), {
      workspace: tenancy.workspace,
      scopes: ['quant:compute:run'],
    });
    const refused = await simulate({ source }, key);
    expect([refused.status, refused.body['code'], refused.body['required_scope']]).to.deep.equal([
      403,
      'insufficient_scope',
      'investment:read',
    ]);
    expect((await simulate({ source: { kind: 'history', symbols: ['SIA'], to } }, key)).status).to.equal(201);
  });

  it('201 draws the returns of a sealed backtest; 409 for a backtest that was altered or did not succeed', async () => {
    const client = clientOf(live(), tenancy.key);
    const strategy = {
      universe: { kind: 'list', symbols: ['SIA', 'SIB'] },
      weight: { scheme: 'equal' },
      schedule: { every: 'month' },
    };
    const made = await client.post('/quant/compute/backtests', { strategy, from: days[0], to });
    expect(made.status, JSON.stringify(made.body)).to.equal(201);
    const backtest_uid = made.body.uid as string;
    const past = { kind: 'history', backtest_uid, method: 'independent', to: days[monthEnds.at(-1)!] };
    const { status, body } = await simulate({ source: past, initial_minor: 1_000_000_000 });
    expect(status, JSON.stringify(body)).to.equal(201);
    const { date, value } = made.body.result.curve as { date: string[]; value: number[] };
    closeTo(
      body['result'].closed_form.mean_minor,
      1e9 * meanGrowth((row) => value[date.indexOf(days[row]!)]!) ** 12,
    );
    expect(body['input'].source.backtest.result_hash).to.equal(made.body.result_hash);
    await expectReplayed(body['uid']);
    const other = await buildTenancy(live());
    const foreign = await simulate({ source: past }, other.key);
    expect([foreign.status, foreign.body['code']]).to.deep.equal([404, 'not_found']);
    const codeOf = async (uid: string) => {
      const refused = await simulate({ source: { ...past, backtest_uid: uid } });
      return [refused.status, refused.body['code'], refused.body['reason']];
    };
    expect(await codeOf(body['uid'])).to.deep.equal([422, 'validation_failed', undefined]);
    const failed = await client.post('/quant/compute/backtests', {
      strategy: { ...strategy, universe: { kind: 'list', symbols: ['NONE'] } },
      from: days[0],
      to,
    });
    expect(failed.status).to.be.within(400, 599);
    const { body: list } = await client.get('/quant/compute/backtests?state=failed&limit=1');
    expect(await codeOf(list.data[0].uid)).to.deep.equal([409, 'backtest_ineligible', 'state']);
    await asSuperuser(live(), (database) =>
      database.query(
        `update run_result set members = jsonb_set(members::jsonb, '{result,curve,value,5}', '123')::json where run_uid = $1`,
        [backtest_uid],
      ),
    );
    expect(await codeOf(backtest_uid)).to.deep.equal([409, 'backtest_ineligible', 'altered']);
  });

  it('201 indexes amounts with the growth of an index as it was known on a day', async () => {
    const rows = Array.from({ length: 61 }, (_, month) => {
      const day = `${2015 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
      return `SIMCPI,${day},${(100 * 1.03 ** (month / 12)).toFixed(8)},2020-03-01T00:00:00Z`;
    });
    const revised = 'SIMCPI,2020-01-01,150,2021-01-01T00:00:00Z';
    await importCsv(live(), tenancy.workspace, 'economics', ['series,date,value,known_at', ...rows, revised]);
    const law = { kind: 'parametric', means: [0.005], covariance: [[0.0016]] };
    const inflation = { metric: 'economics.SIMCPI', years: 5 };
    const goals = [{ name: 'Keep', at: 12, amount_minor: 1_000_000, real: true }];
    const { status, body } = await simulate({ source: law, inflation, as_of: '2020-06-30', goals });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body['result'].inflation).to.include({ first: '2015-01-31', last: '2020-01-31' });
    expect(body['result'].inflation.annual).to.be.closeTo(0.03, 1e-9);
    expect(body['result'].goals[0].target_minor).to.equal(1_030_000);
    await expectReplayed(body['uid']);
    const later = await simulate({ source: law, inflation, goals });
    expect(later.body['result'].inflation.annual).to.be.closeTo(1.5 ** (1 / 5) - 1, 1e-9);
    const early = await simulate({ source: law, inflation, as_of: '2019-01-01' });
    expect([early.status, early.body['errors'][0].pointer]).to.deep.equal([422, '/inflation/metric']);
  });

  it('201 draws from a model with each engine', async () => {
    const own = await buildTenancy(live());
    const { key } = await serveModel(live(), own, { factors: ['KO', 'XOM'] });
    const means = new Map<string, number>();
    for (const engine of ['gaussian', 'student_t', 'filtered_historical', 't_copula_empirical']) {
      const { status, body } = await simulate(
        { source: { kind: 'model', key, engine, regime: 'ergodic' } },
        own.key,
      );
      expect(status, JSON.stringify(body)).to.equal(201);
      means.set(engine, body['result'].terminal.mean_minor);
      await expectReplayed(body['uid']);
    }
    const [gaussian] = means.values();
    expect(new Set(means.values()).size).to.equal(4);
    for (const mean of means.values()) expect(mean / gaussian!).to.be.closeTo(1, 0.05);
  });
});
