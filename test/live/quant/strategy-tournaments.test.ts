import { expect } from 'chai';
import { canonicalHash, checkSeal } from '#lib/core/seal.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { buildTenancy, type Tenancy } from '../../support/build.ts';
import { assay } from '../../support/cli.ts';
import { clientOf } from '../../support/client.ts';
import { dailyLines, weekdays } from '../../support/daily-prices.ts';
import { importCsv } from '../../support/import.ts';
import { withFile } from '../../support/ledger.ts';
import { onOneBackend } from '../../support/live.ts';

const TOURNAMENTS = '/quant/model-tournaments';
const days = weekdays('2019-01-01', 240);
const universe: Strategy['universe'] = { kind: 'list', symbols: ['TNA', 'TNB', 'TNC'] };
const momentum: Strategy = {
  universe,
  signals: { m: { expression: 'return(adj_close, $days)' } },
  select: { by: 'm', top: 1 },
  weight: { scheme: 'equal' },
  schedule: { every: 'week' },
  parameters: { days: 10 },
};
const defensive: Strategy = { universe, weight: { scheme: 'inverse_volatility', construct: { window: 20 } } };
const today: Strategy = { ...momentum, schedule: { every: 'week', lag: 0 } };

onOneBackend('POST /quant/model-tournaments with strategies', (live) => {
  let tenancy: Tenancy;

  before(async () => {
    tenancy = await buildTenancy(live());
    const paths = [
      { symbol: 'TNA', start: 100, drift: 0.002, swing: 0.012 },
      { symbol: 'TNB', start: 50, drift: 0.0005, swing: 0.021 },
      { symbol: 'TNC', start: 200, drift: -0.0003, swing: 0.009 },
    ];
    await importCsv(live(), tenancy.workspace, 'prices', dailyLines(paths, days));
  });

  const body = {
    name: 'Strategies',
    task: { kind: 'strategies', from: days[30], to: days.at(-1) },
    entries: [
      { strategy: momentum, name: 'momentum', variants: [{ days: 5 }, { days: 20 }] },
      { strategy: defensive, name: 'defensive' },
      { strategy: today, name: 'same_day' },
    ],
    origins: { first: 60, step: 5 },
    refit_every: 2,
    horizon: 5,
  };
  const post = async (of: object) => {
    const answer = await clientOf(live(), tenancy.key).post(TOURNAMENTS, of);
    return { status: answer.status, body: answer.body as Record<string, any> };
  };

  it('201 ranks strategies by Sharpe ratios, seals losses and choices, counts trials and replays', async () => {
    const { status, body: made } = await post(body);
    expect(status, JSON.stringify(made)).to.equal(201);
    expect(checkSeal(made)).to.include({ intact: true });
    const { result, input } = made;
    expect(input).to.include({ task: 'strategies', loss: 'sharpe' });
    expect(result, JSON.stringify(result)).to.include({ state: 'resolved', baseline: 'equal_weight' });
    expect(result.observations).to.deep.equal({ kind: 'origin', count: 30, origins: 30, overlap: 1 });
    expect(result.disqualified).to.deep.equal([
      { entry: 'same_day', metric: 'returns', origin: result.series[0].first_origin, reason: 'look_ahead' },
    ]);
    const { body: read } = await clientOf(live(), tenancy.key).get(
      `${TOURNAMENTS}/${made['uid']}?include=losses`,
    );
    expect(canonicalHash(read.losses)).to.equal(result.losses_sha256);
    expect(read.losses.losses[0].chosen).to.have.length(30);
    const replay = await assay(live(), 'replay', made['uid'], '--json');
    expect(replay.json, replay.stderr).to.include({ replayed: true, identical: true });
    const backtest = await clientOf(live(), tenancy.key).post('/quant/compute/backtests', {
      strategy: { ...momentum, parameters: { days: 15 } },
      from: days[30],
      to: days.at(-1),
      capacity: false,
    });
    expect(backtest.body.result.evidence.trials).to.include({ counted: 4, own: 1 });
  });

  it('prints the leaderboard on the command line', () =>
    withFile([tenancy.key], (keyFile) =>
      withFile([JSON.stringify(body)], async (file) => {
        const service = ['--url', live().url, '--key-file', keyFile];
        const { stdout, stderr } = await assay(live(), 'tournament', 'run', file, ...service);
        expect(stderr).to.equal('');
        expect(stdout).to.match(/^Strategies, returns over 5 sessions, sharpe loss, 30 origins\n/);
        expect(stdout)
          .to.match(/equal_weight \*/)
          .and.to.match(/same_day failed: look_ahead/);
      }),
    ));

  it('422 points to the entry that cannot be compared, and to fewer than 20 origins', async () => {
    const pointers = async (of: object) => {
      const { status, body: refused } = await post({ ...body, ...of });
      expect([status, refused['code']]).to.deep.equal([422, 'validation_failed']);
      return refused['errors'].map((each: { pointer: string }) => each.pointer) as string[];
    };
    const monthly = { strategy: { ...defensive, frequency: 'monthly' }, name: 'monthly' };
    expect(await pointers({ entries: [...body.entries, monthly] })).to.deep.equal([
      '/entries/3/strategy/frequency',
    ]);
    const bad = { strategy: { ...momentum, select: { by: 'absent', top: 1 } }, name: 'bad' };
    expect((await pointers({ entries: [bad] }))[0]).to.match(/^\/entries\/0\/strategy\//);
    expect(await pointers({ task: { ...body.task, to: '2999-01-01' } })).to.include('/task/to');
    expect(await pointers({ loss: 'absolute' })).to.deep.equal(['/loss']);
    const few = await post({ ...body, origins: { first: 120, step: 5 } });
    expect([few.status, few.body['code']]).to.deep.equal([422, 'origins_insufficient']);
  });
});
