import { expect } from 'chai';
import { addDays } from '#lib/core/date.ts';
import type { ResolvedEntry } from '#lib/quant/tournaments/tournament-input.schema.ts';
import type { TournamentData } from '#lib/quant/tournaments/tournament-series.ts';
import { dataOf, inputOf, method, resultOf, runTournament, seasonal } from './tournament-cases.ts';

describe('a tournament of series', () => {
  it('computes the same losses in parts of any size, even if methods are not refitted at each origin', function () {
    this.timeout(60_000);
    const input = inputOf({
      entries: [method('theta'), method('ets'), method('arima')],
      refit_every: 7,
      horizon: 2,
      most: 25,
      metrics: ['A', 'B'].map((each) => ({ metric: `economics.${each}`, company_id: null })),
      loss: 'scaled',
    });
    const data = dataOf(seasonal(70), seasonal(67, 2));
    const whole = resultOf(input, data);
    for (const size of [1, 9, 30]) expect(resultOf(input, data, size)).to.deep.equal(whole);
    expect(whole.observations).to.include({ kind: 'period', overlap: 2 });
  });

  it('does not change the past if later values change', () => {
    const values = seasonal(80);
    const early = resultOf(inputOf({ most: 500, first: 40 }), dataOf(values));
    const later = resultOf(inputOf({ most: 500, first: 40 }), dataOf([...values.slice(0, 79), 1e6]));
    const all = early.losses.losses.map(({ values: own }) => own.slice(0, -1));
    expect(later.losses.losses.map(({ values: own }) => own.slice(0, -1))).to.deep.equal(all);
  });

  it('computes the loss of naive from the last value, and ignores values before a rolling window', () => {
    const values = seasonal(60);
    const { losses } = resultOf(inputOf({ first: 30 }), dataOf(values));
    const naive = losses.losses.find(({ entry }) => entry === 'naive')!.values;
    expect(naive).to.have.length(30);
    for (const [at, loss] of naive.entries())
      expect(loss).to.be.closeTo(Math.abs(values[30 + at]! - values[29 + at]!), 1e-9);
    const rolled = (first: number) =>
      resultOf(inputOf({ first: 30, window: { rolling: 24 } }), dataOf([first, ...values.slice(1)]));
    expect(rolled(1e4).losses).to.deep.equal(rolled(5).losses);
  });

  it('supports losses of the last period, of quantiles, of intervals and of distributions', () => {
    const data = dataOf(seasonal(60));
    const last = resultOf(inputOf({ horizon: 3, horizons: 'last', first: 30 }), data);
    expect(last.losses.losses[0]!.values).to.have.length(28);
    for (const loss of ['squared', 'crps', { pinball: { p: 0.9 } }, { interval: { level: 0.8 } }] as const) {
      const found = resultOf(inputOf({ loss, first: 30 }), data);
      expect(found.state, JSON.stringify(found.disqualified)).to.equal('resolved');
    }
  });

  it('skips origins next to gaps, and fills gaps from earlier values', () => {
    const values = seasonal(70);
    values[20] = Number.NaN;
    values[50] = Number.NaN;
    const { losses, observations } = resultOf(inputOf({ first: 35 }), dataOf(values));
    expect(observations.count).to.equal(33);
    expect(losses.origin).not.to.include('2014-03');
  });

  it('accepts the combination of methods as an entry', function () {
    this.timeout(60_000);
    const entries: ResolvedEntry[] = [{ name: 'combination', kind: 'combination', method: null }];
    const input = inputOf({ entries, refit_every: 20, most: 20, loss: 'crps' });
    const found = resultOf(input, dataOf(seasonal(60)));
    expect(found.state).to.equal('resolved');
    expect(resultOf(input, dataOf(seasonal(60)), 7)).to.deep.equal(found);
  });

  it('ranks over series, and counts each series as one observation from 20 series on', () => {
    const rows = Array.from({ length: 20 }, (_, at) => seasonal(40, at));
    const metrics = rows.map((_, at) => ({ metric: `economics.S${at}`, company_id: null }));
    const found = resultOf(inputOf({ metrics, loss: 'scaled', most: 4 }), dataOf(...rows));
    expect(found.observations).to.deep.include({ kind: 'series', count: 20, origins: 80, overlap: 1 });
    expect(found.ranks!.series).to.equal(20);
    const short = runTournament(
      inputOf({ metrics: metrics.slice(1), loss: 'scaled', most: 4 }),
      dataOf(...rows.slice(1)),
    );
    expect(short).to.deep.include({ ok: false });
  });

  it('accepts huge values and constant series', () => {
    const huge = seasonal(60).map((value, at) => (at % 2 ? value * 1e300 : -value * 1e300));
    const found = resultOf(inputOf({ loss: 'squared' }), dataOf(huge));
    expect(found).to.include({ state: 'void' });
    expect(found.disqualified[0]).to.include({ reason: 'not_finite' });
    const flat = resultOf(inputOf(), dataOf(Array.from({ length: 60 }, () => 0)));
    expect(flat).to.include({ verdict: 'tie', winner: null });
    const scaled = runTournament(inputOf({ loss: 'scaled' }), dataOf(Array.from({ length: 60 }, () => 0)));
    expect(scaled).to.deep.include({ ok: false });
  });

  it('refuses series in several units unless losses are scaled', () => {
    const metrics = ['A', 'B'].map((each) => ({ metric: `economics.${each}`, company_id: null }));
    const data = dataOf(seasonal(60), seasonal(60, 1));
    data.series[0]!.currency = 'EUR';
    const refused = runTournament(inputOf({ metrics }), data);
    expect(refused.ok ? undefined : refused.refusal.code).to.equal('entries_not_comparable');
    expect(runTournament(inputOf({ metrics, loss: 'scaled' }), data).ok).to.equal(true);
  });
});

describe('a tournament of predictions and models', () => {
  const ROWS = 140;
  const days = Array.from({ length: ROWS }, (_, at) => addDays('2020-01-01', at));
  const x = Float64Array.from(days, (_, at) => ((at * 37) % 23) / 23);
  const y = Float64Array.from(days, (_, at) => (at === 0 ? 0 : 3 * x[at - 1]! + ((at * 7) % 5) / 50));
  const rowsData = (): TournamentData => ({
    ...dataOf([...y]),
    rows: {
      factors: ['x', 'y'],
      days,
      values: Float64Array.from({ length: 2 * ROWS }, (_, at) => (at % 2 ? y : x)[at >> 1]!),
    },
  });
  const task = { target: 'y', horizon: 1 };
  const ridge: ResolvedEntry = {
    name: 'ridge',
    kind: 'fit',
    method: null,
    prediction: { ...task, fit: { family: 'ridge', lambda: null } },
    factors: ['x', 'y'],
  };
  const input = (entries: ResolvedEntry[], changed: object = {}) =>
    inputOf({
      task: 'dataset',
      metrics: [],
      dataset: { id: 1, revision: 1, content_hash: 'a'.repeat(64), target: 'y', columns: ['x', 'y'] },
      horizons: 'last',
      first: 80,
      most: 500,
      entries,
      ...changed,
    });

  it('fits a model at each origin, and ranks first the model that knows the cause of the target', () => {
    const found = resultOf(input([ridge]), rowsData());
    expect(found).to.include({ winner: 'ridge', verdict: 'winner', baseline: 'last_value' });
    expect(found.losses.origin[0]).to.equal(days[79]);
    expect(resultOf(input([ridge], { refit_every: 9 }), rowsData(), 7)).to.deep.equal(
      resultOf(input([ridge], { refit_every: 9 }), rowsData()),
    );
    expect(resultOf(input([ridge], { baseline: 'mean' }), rowsData()).baseline).to.equal('mean');
  });

  it('refuses rows with missing values', () => {
    const data = rowsData();
    data.rows!.values[100] = Number.NaN;
    const refused = runTournament(input([ridge]), data);
    expect(refused.ok ? undefined : refused.refusal.code).to.equal('training_data_ineligible');
  });

  it('reads predictions of common origins, and refuses a prediction that became known too late', () => {
    const entry: ResolvedEntry = { name: 'desk', kind: 'predictions', method: null };
    const known = (day: number) => Date.parse(`${days[day]!}T12:00:00Z`) / 1_000;
    const predictions = (late: number) => ({
      desk: {
        days: days.slice(90, 130),
        pairs: Float64Array.from({ length: 80 }, (_, at) => {
          const row = 90 + (at >> 1);
          return at % 2 ? known(row + (row === late ? 1 : 0)) : y[row + 1]! + 0.001;
        }),
      },
    });
    const found = resultOf(input([entry]), { ...rowsData(), predictions: predictions(-1) });
    expect(found.observations.count).to.equal(40);
    expect(found).to.include({ winner: 'desk' });
    const late = runTournament(input([entry]), { ...rowsData(), predictions: predictions(100) });
    expect(late.ok ? undefined : late.refusal).to.deep.include({
      code: 'prediction_late',
      members: { entry: 'desk', origin: days[100] },
    });
  });
});
