import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect } from 'chai';
import { canonicalHash, checkSeal } from '#lib/core/seal.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { dailyLines, pricesOfPath, weekdays, type DailyPath } from '../../support/daily-prices.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

const paths: DailyPath[] = [
  { symbol: 'BKA', start: 100, drift: 0.002, swing: 0.012 },
  { symbol: 'BKB', start: 50, drift: 0.0005, swing: 0.021 },
  { symbol: 'BKC', start: 200, drift: -0.0003, swing: 0.009 },
];
const days = weekdays('2019-01-01', 300);
const [from, to] = [days[40]!, days.at(-1)!];

const momentum: Strategy = {
  name: 'Momentum',
  universe: { kind: 'list', symbols: ['BKA', 'BKB', 'BKC'] },
  signals: { momentum: { expression: 'return(adj_close, $lookback)' } },
  select: { by: 'momentum', top: 1 },
  weight: { scheme: 'equal' },
  parameters: { lookback: 20 },
};

onOneBackend('POST /quant/compute/backtests', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importCsv(live(), tenancy.workspace, 'prices', dailyLines(paths, days));
  });

  const submit = async (body: Record<string, unknown>, key = tenancy.key) => {
    const answer = await clientOf(live(), key).post('/quant/compute/backtests', { from, to, ...body });
    return { ...answer, body: answer.body as Record<string, any> };
  };

  it('201 simulates holding one symbol, with a curve that follows its prices less the commission', async () => {
    const { status, body } = await submit({
      strategy: {
        universe: { kind: 'list', symbols: ['BKA'] },
        weight: { scheme: 'equal' },
        schedule: { every: 'once' },
      },
      benchmark: { symbol: 'BKA' },
    });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const prices = pricesOfPath(paths[0]!, days.length).map(Number).slice(40);
    const shares = 1_000_000 / (prices[1]! * 1.001);
    const { curve, costs, orders, evidence } = body['result'];
    expect(curve.value[0]).to.equal(1_000_000);
    expect(curve.value.at(-1)).to.be.closeTo(shares * prices.at(-1)!, 1e-3);
    expect(orders.count).to.equal(1);
    expect(costs.total).to.be.closeTo(shares * prices[1]! * 0.001, 1e-6);
    expect(evidence.trials).to.include({ counted: 0, own: 1, used: 1, sd_basis: 'single_trial' });
    expect(evidence.deflated_sharpe).to.equal(evidence.probabilistic_sharpe);
    expect(body['result'].benchmark.beta).to.be.closeTo(1, 0.1);
  });

  it('201 compares with another strategy, and with the levels of a series that were known on the as_of day', async () => {
    const hold = {
      universe: { kind: 'list', symbols: ['BKA'] },
      weight: { scheme: 'equal' },
      schedule: { every: 'once', lag: 0 },
      execution: { same_bar: true },
      costs: { proportional_bps: 0 },
    } as const;
    const compare = async (benchmark: object) => {
      const { status, body } = await submit({ strategy: momentum, capacity: false, benchmark });
      expect(status, JSON.stringify(body)).to.equal(201);
      expect(checkSeal(body)).to.include({ intact: true });
      expect(body['input_data'].benchmark).to.match(/^[0-9a-f]{64}$/);
      const replayed = await assay(live(), 'replay', body['uid'], '--json');
      expect(replayed.json, replayed.stderr).to.include({ identical: true });
      const { kind, symbol, assumed_share: share, ...figures } = body['result'].benchmark;
      return { kind, symbol, share, figures };
    };
    const symbol = await compare({ symbol: 'BKA' });
    const strategy = await compare({ strategy: hold });
    expect([symbol.kind, symbol.symbol, strategy.kind, strategy.symbol]).to.deep.equal([
      'symbol',
      'BKA',
      'strategy',
      null,
    ]);
    expect(strategy.figures).to.deep.equal(symbol.figures);
    const prices = pricesOfPath(paths[0]!, days.length);
    const levels = (from: number) => days.map((day, at) => `INDEX,${day},${Number(prices[at]) * from}`);
    await importCsv(live(), tenancy.workspace, 'economics', ['series,date,value', ...levels(2)]);
    const series = await compare({ series: 'INDEX' });
    expect([series.kind, series.share]).to.deep.equal(['series', 1]);
    expect(series.figures.beta).to.be.closeTo(symbol.figures.beta, 1e-9);
    expect(series.figures.information_ratio).to.be.closeTo(symbol.figures.information_ratio, 1e-9);
  });

  it('422 points to the fault of a benchmark', async () => {
    const fault = async (benchmark: object) => {
      const { status, body } = await submit({ strategy: momentum, benchmark });
      return [status, body['errors']?.[0]?.pointer, body['errors']?.[0]?.code];
    };
    expect(await fault({ series: 'NONE' })).to.deep.equal([422, '/benchmark/series', 'unknown_series']);
    const at = '/benchmark/strategy';
    const top = { ...momentum, select: { by: 'none', top: 1 } };
    expect(await fault({ strategy: top })).to.deep.equal([422, `${at}/select/by`, 'unknown_signal']);
    expect(await fault({ strategy: momentum, parameters: { speed: 1 } })).to.deep.equal([
      422,
      '/benchmark/parameters/speed',
      'unknown_parameter',
    ]);
    const monthly = { ...momentum, frequency: 'monthly', cash: { currency: 'EUR' } };
    expect(await fault({ strategy: monthly })).to.deep.equal([422, `${at}/frequency`, 'frequency_differs']);
    const nobody = { ...momentum, universe: { kind: 'list', symbols: ['NONE'] } };
    const refused = await submit({ strategy: momentum, benchmark: { strategy: nobody } });
    expect(refused.body['detail']).to.match(/^The benchmark cannot be simulated\./);
  });

  it('counts every sealed trial of a family once, and deflates the Sharpe ratio by the number of trials', async () => {
    const variants = [{ lookback: 5 }, { lookback: 10 }, { lookback: 30 }];
    const first = await submit({ strategy: momentum, variants });
    expect(first.status, JSON.stringify(first.body)).to.equal(201);
    const { evidence } = first.body['result'];
    expect(evidence.trials).to.include({ counted: 0, own: 4, used: 4, sd_basis: 'trials' });
    expect(evidence.deflated_sharpe).to.be.lessThan(evidence.probabilistic_sharpe);
    expect(evidence.overfitting).to.include({ blocks: 10, combinations: 252, trials: 4 });
    const again = await submit({ strategy: { ...momentum, name: 'Renamed' }, parameters: { lookback: 10 } });
    expect(again.body['input'].family).to.equal(first.body['input'].family);
    expect(again.body['input'].trials).to.include({ counted: 3, measured: 3 });
    const third = await submit({ strategy: momentum, parameters: { lookback: 15 } });
    expect(third.body['input'].trials.counted).to.equal(4);
    const fourth = await submit({ strategy: momentum, parameters: { lookback: 16 } });
    expect(fourth.body['input'].trials.counted).to.equal(5);
  });

  it('seals a result that replays to the same bytes and is printed as a tear sheet', async () => {
    const { body } = await submit({ strategy: momentum });
    const replayed = await assay(live(), 'replay', body['uid'], '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
    const key = path.join(tmpdir(), `${body['uid']}.key`);
    await writeFile(key, tenancy.key);
    const shown = await assay(
      live(),
      'backtest',
      'show',
      body['uid'],
      '--url',
      live().url,
      '--key-file',
      key,
      '--plot',
    );
    await rm(key);
    expect(shown.stdout, shown.stderr).to.match(/^Momentum, 2019-02-26 to /);
    for (const part of ['Drawdown', 'Monthly returns', 'deflated Sharpe ratio', body['seal'].hash])
      expect(shown.stdout).to.include(part);
  });

  it('422 names the member of a strategy that is not valid, and the reason why a strategy cannot be simulated', async () => {
    const faults = async (change: Record<string, unknown>) => {
      const { status, body } = await submit({ strategy: momentum, ...change });
      return [status, body['code'], body['errors']?.[0]?.pointer];
    };
    const unbound = { ...momentum, parameters: {} };
    expect(await faults({ strategy: unbound })).to.deep.equal([
      422,
      'validation_failed',
      '/strategy/signals/momentum/expression',
    ]);
    expect(await faults({ from: to, to: from })).to.deep.equal([422, 'validation_failed', '/from']);
    expect(await faults({ to: '2999-01-01' })).to.deep.equal([422, 'validation_failed', '/to']);
    expect(await faults({ variants: [{ speed: 1 }] })).to.deep.equal([
      422,
      'validation_failed',
      '/variants/0/speed',
    ]);
    const sameBar = { ...momentum, schedule: { lag: 0 } };
    expect((await submit({ strategy: sameBar })).body['code']).to.equal('look_ahead');
    const nobody = { ...momentum, universe: { kind: 'list', symbols: ['NONE'] } };
    expect((await submit({ strategy: nobody })).body['code']).to.be.oneOf([
      'market_history_insufficient',
      'universe_empty',
    ]);
    expect((await submit({ strategy: momentum, from: days.at(-20) })).body).to.include({
      code: 'market_history_insufficient',
      observed: 20,
      needed: 60,
    });
  });

  it('200 returns the orders and the holdings as CSV, as Parquet and as the JSON that the seal covers', async () => {
    const { body } = await submit({ strategy: momentum });
    const client = clientOf(live(), tenancy.key);
    for (const name of ['orders', 'holdings']) {
      const at = `/quant/compute/backtests/${body['uid']}/${name}`;
      const table = (await client.get(at)).body as Record<string, unknown[]>;
      expect(canonicalHash(table)).to.equal(body['attachment_hashes'][name]);
      const response = await fetch(`${live().url}/api/v2${at}?format=csv`, {
        headers: { authorization: `Bearer ${tenancy.key}` },
      });
      const lines = (await response.text()).trim().split('\r\n');
      expect(lines[0]).to.equal(Object.keys(table).join(','));
      expect(lines).to.have.length(1 + table['date']!.length);
      const parquet = await fetch(`${live().url}/api/v2${at}?format=parquet`, {
        headers: { authorization: `Bearer ${tenancy.key}` },
      });
      expect(
        Buffer.from(await parquet.arrayBuffer())
          .subarray(0, 4)
          .toString(),
      ).to.equal('PAR1');
    }
  });

  it('404 for a backtest of another workspace', async () => {
    const { body } = await submit({ strategy: momentum });
    const stranger = await buildTenancy(live());
    const read = await clientOf(live(), stranger.key).get(`/quant/compute/backtests/${body['uid']}`);
    expect(read.status).to.equal(404);
  });
});
