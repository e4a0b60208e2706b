import { expect } from 'chai';
import { checkSeal } from '#lib/core/seal.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { dailyLines, weekdays, type DailyPath } from '../../support/daily-prices.ts';
import { importCsv } from '../../support/import.ts';
import { onOneBackend } from '../../support/live.ts';

const paths: DailyPath[] = [
  { symbol: 'OPA', start: 100, drift: 0.001, swing: 0.012 },
  { symbol: 'OPB', start: 50, drift: 0.0005, swing: 0.021 },
  { symbol: 'OPC', start: 200, drift: 0.0002, swing: 0.009 },
];
const days = weekdays('2018-01-01', 500);
const [from, to] = [days[60]!, days.at(-1)!];

const momentum: Strategy = {
  universe: { kind: 'list', symbols: ['OPA', 'OPB', 'OPC'] },
  signals: { momentum: { expression: 'return(adj_close, $lookback)' } },
  select: { by: 'momentum', top: { $: 'top' } },
  weight: { scheme: 'equal' },
  parameters: { lookback: 20, top: 1 },
};

onOneBackend('POST /quant/compute/optimizations', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    await importCsv(live(), tenancy.workspace, 'prices', dailyLines(paths, days));
  });

  const submit = async (body: Record<string, unknown>) => {
    const answer = await clientOf(live(), tenancy.key).post('/quant/compute/optimizations', {
      strategy: momentum,
      from,
      to,
      space: { lookback: { values: [5, 10, 20, 40] }, top: { values: [1, 2] } },
      ...body,
    });
    return { ...answer, body: answer.body as Record<string, any> };
  };

  it('201 simulates every point of a grid, chooses points on the training ranges and states a verdict', async () => {
    const { status, body } = await submit({ where: 'lookback >= 10' });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(checkSeal(body)).to.include({ intact: true });
    const { result, input } = body;
    expect([input.method, result.points, result.failed]).to.deep.equal(['grid', 6, 0]);
    expect(result.folds).to.have.length(5);
    for (const fold of result.folds) {
      expect(fold.train.to < fold.test.from).to.equal(true);
      expect(fold.chosen.lookback).to.be.oneOf([10, 20, 40]);
    }
    expect(result.verdict).to.be.a('string');
    expect(result.recommended === null).to.equal(result.verdict !== 'recommended');
    expect(result.evidence.trials).to.include({ counted: 0, own: 6 });
    expect(result.trials[0].objective).to.equal(result.best_in_sample.objective);
    expect(result.out_of_sample.date).to.have.length(result.out_of_sample.return.length);
    const replayed = await assay(live(), 'replay', body['uid'], '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
    const backtest = await clientOf(live(), tenancy.key).post('/quant/compute/backtests', {
      strategy: momentum,
      parameters: { lookback: 10, top: 2 },
      from,
      to,
      capacity: false,
    });
    // The backtest is one of the six trials of the search.
    expect((backtest.body as any).input.trials.counted).to.equal(5);
  });

  it('201 searches random points and generations of CMA-ES within the number of trials', async () => {
    const space = { lookback: { low: 5, high: 60, integer: true } };
    const random = await submit({ space, method: 'random', trials: 12, seed: 7 });
    expect(random.status, JSON.stringify(random.body)).to.equal(201);
    expect(random.body['result'].points).to.equal(12);
    const again = await submit({ space, method: 'random', trials: 12, seed: 7 });
    expect(again.body['result'].trials).to.deep.equal(random.body['result'].trials);
    const evolved = await submit({ space, method: 'cma_es', trials: 20 });
    expect(evolved.status, JSON.stringify(evolved.body)).to.equal(201);
    expect(evolved.body['result'].points).to.be.within(4, 20);
  });

  it('201 maximises the information ratio against a benchmark', async () => {
    const objective = { metric: 'information_ratio' };
    const { status, body } = await submit({ objective, benchmark: { symbol: 'OPB' } });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body['input_data'].benchmark).to.match(/^[0-9a-f]{64}$/);
    const best = body['result'].best_in_sample;
    const backtest = await clientOf(live(), tenancy.key).post('/quant/compute/backtests', {
      strategy: momentum,
      parameters: best.parameters,
      from,
      to,
      capacity: false,
      benchmark: { symbol: 'OPB' },
    });
    // The search reads more history than the backtest, so their total return indices differ by rounding errors.
    const { information_ratio: ratio } = (backtest.body as any).result.benchmark;
    expect(ratio).to.be.closeTo(best.objective, 1e-9);
    const replayed = await assay(live(), 'replay', body['uid'], '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
    const required = await submit({
      require: [{ metric: 'information_ratio', min: 100 }],
      benchmark: { symbol: 'OPB' },
    });
    expect(required.body['result'].verdict).to.equal('no_feasible_trial');
  });

  it('201 seals the same bytes for a search divided among workers as for its replay in one thread', async () => {
    const space = { lookback: { low: 5, high: 60, step: 1 }, top: { values: [1, 2] } };
    const { status, body } = await submit({ space });
    expect(status, JSON.stringify(body)).to.equal(201);
    expect(body['result'].points).to.equal(112);
    const replayed = await assay(live(), 'replay', body['uid'], '--json');
    expect(replayed.json, replayed.stderr).to.include({ identical: true });
  });

  it('422 for an empty grid, a single point, too many points, unknown parameters and too few sessions', async () => {
    const refused = async (change: Record<string, unknown>) => {
      const { status, body } = await submit(change);
      return [status, body['code'], body['errors']?.[0]?.pointer ?? null];
    };
    expect(await refused({ where: 'lookback > 100' })).to.deep.equal([422, 'space_empty', null]);
    expect(await refused({ space: { lookback: { values: [10] } } })).to.deep.equal([
      422,
      'space_empty',
      null,
    ]);
    const fine = { low: 1, high: 10_001, step: 1 };
    expect(await refused({ space: { lookback: fine }, method: 'grid' })).to.deep.equal([
      422,
      'too_many_trials',
      null,
    ]);
    expect(await refused({ space: { speed: { values: [1, 2] } } })).to.deep.equal([
      422,
      'validation_failed',
      '/space/speed',
    ]);
    const metric = 'information_ratio';
    for (const change of [{ objective: { metric } }, { require: [{ metric, min: 0 }] }]) {
      expect(await refused(change)).to.deep.equal([422, 'validation_failed', '/benchmark']);
    }
    expect(await refused({ baseline: { speed: 1 } })).to.deep.equal([
      422,
      'validation_failed',
      '/baseline/speed',
    ]);
    expect(await refused({ walk_forward: null })).to.deep.equal([422, 'validation_failed', '/walk_forward']);
    expect(await refused({ walk_forward: { train: 5_000, test: 100 } })).to.deep.equal([
      422,
      'folds_insufficient',
      null,
    ]);
  });
});
