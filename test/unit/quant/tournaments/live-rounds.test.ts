import { expect } from 'chai';
import { canonicalHash } from '#lib/core/seal.ts';
import { forecastRound } from '#lib/quant/tournaments/rounds/forecast-round.ts';
import { liveStanding } from '#lib/quant/tournaments/rounds/live-standing.ts';
import { newestStanding } from '#lib/quant/tournaments/rounds/newest-standing.ts';
import { scoreRound } from '#lib/quant/tournaments/rounds/score-round.ts';
import {
  decideRound,
  liveState,
  roundStates,
  type RoundFacts,
} from '#lib/quant/tournaments/rounds/tournament-round.ts';
import type { RoundInput } from '#lib/quant/tournaments/rounds/tournament-round.schema.ts';
import { dataOf, method, seasonal } from './tournament-cases.ts';

const OPENS = new Date('2026-01-01T00:00:00Z');
const CLOSES = new Date('2026-01-02T00:00:00Z');
const after = (hours: number, from = CLOSES) => new Date(from.getTime() + hours * 3_600_000);

const facts = (changed: Partial<RoundFacts> = {}): RoundFacts => ({
  state: 'open',
  opensAt: OPENS,
  closesAt: CLOSES,
  mayRun: true,
  run: null,
  score: null,
  isExpired: false,
  ...changed,
});
const score = (series: number, of = 2) => ({ series, of, losses: [], sha256: '' });

describe('a live round', () => {
  it('opens and closes at its times', () => {
    expect(decideRound(facts({ state: 'planned' }), after(-1, OPENS))).to.include({ next: 'wait' });
    expect(decideRound(facts({ state: 'planned' }), OPENS)).to.include({ next: 'open' });
    expect(decideRound(facts(), after(-0.001))).to.include({ next: 'wait' });
    expect(decideRound(facts(), CLOSES)).to.include({ next: 'seal' });
  });

  it('waits until it may run, and is void if it has not run a day after its close', () => {
    expect(decideRound(facts({ mayRun: false }), after(23))).to.include({ next: 'wait' });
    for (const mayRun of [true, false])
      expect(decideRound(facts({ mayRun }), after(24.1))).to.include({ next: 'void', reason: 'not_sealed' });
  });

  it('is resolved once all values are known, or earlier if the time limit for values has passed', () => {
    const scoring = (more: Partial<RoundFacts>) =>
      decideRound(facts({ state: 'scoring', run: 'sealed', ...more }), after(48));
    expect(scoring({ run: 'open' })).to.include({ next: 'wait' });
    expect(scoring({ run: 'failed' })).to.include({ next: 'void', reason: 'sealing_failed' });
    expect(scoring({ score: score(1) })).to.include({ next: 'wait' });
    expect(scoring({ score: score(2) })).to.include({ next: 'resolve' });
    expect(scoring({ score: score(1), isExpired: true })).to.include({ next: 'resolve' });
    expect(scoring({ score: score(0), isExpired: true })).to.include({
      next: 'void',
      reason: 'not_observed',
    });
  });

  it('never leaves a final state', () => {
    for (const state of ['resolved', 'void'] as const)
      for (const run of [null, 'open', 'sealed', 'failed'] as const)
        for (const isExpired of [true, false])
          expect(decideRound(facts({ state, run, isExpired, score: score(2) }), after(1e6))).to.include({
            next: 'wait',
          });
    expect(roundStates).to.have.length(5);
  });
});

const input = (changed: Partial<RoundInput> = {}): RoundInput => ({
  tournament_uid: 'tmt_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
  round: 1,
  metrics: [],
  frequency: null,
  as_of: '2026-01-01T00:00:00.000Z',
  entries: [method('naive'), method('drift'), method('croston')],
  baseline: 'naive',
  window: 'expanding',
  horizon: 2,
  horizons: 'all',
  loss: 'absolute',
  ...changed,
});

describe('the forecasts of a live round', () => {
  const values = seasonal(40);
  const outcome = forecastRound(input(), dataOf(values, values.slice(0, 5)));
  if (!outcome.ok) throw new Error('refused');
  const { result } = outcome.output;

  it('are for the periods after the last known value of each series', () => {
    expect(result.series[0]).to.deep.include({
      origin: '2013-04',
      periods: ['2013-05', '2013-06'],
      left_out: null,
    });
    expect(result.series[1]).to.deep.include({ origin: null, periods: [], left_out: 'no_origin' });
    expect(canonicalHash(outcome.attachments.forecasts)).to.equal(result.forecasts_sha256);
    const [naive, drift] = outcome.attachments.forecasts.forecasts;
    expect(naive).to.deep.include({ entry: 'naive', points: [values[39], values[39]] });
    expect(drift!.points[0]).to.be.closeTo(values[39]! + (values[39]! - values[0]!) / 39, 1e-9);
  });

  it('name the entries that have no forecast', () => {
    const failed = forecastRound(input(), dataOf(values.map((value) => value - 150)));
    expect(failed.ok && failed.output.result.failures).to.deep.equal([
      { entry: 'croston', metric: 'economics.A', origin: '2013-04', reason: 'not_applicable' },
    ]);
  });

  it('are refused without any series', () => {
    expect(forecastRound(input(), dataOf([1, 2, 3]))).to.deep.include({ ok: false });
  });

  it('are scored only when every value that the score needs is known', () => {
    const { forecasts } = outcome.attachments.forecasts;
    const sealed = { series: result.series, forecasts };
    const known = (entries: [string, number][]) => [new Map(entries), new Map<string, number>()];
    const none = scoreRound(input(), sealed, known([['2013-05', 1]]));
    expect(none).to.include({ series: 0, of: 1 });
    expect(none.losses[0]!.loss).to.equal(null);
    const both = known([
      ['2013-05', values[39]! + 3],
      ['2013-06', values[39]! - 1],
    ]);
    const whole = scoreRound(input(), sealed, both);
    expect(whole.series).to.equal(1);
    expect(whole.losses[0]!.loss).to.be.closeTo(2, 1e-9);
    expect(whole.sha256).to.equal(canonicalHash(whole.losses));
    const last = scoreRound(input({ horizons: 'last' }), sealed, known([['2013-06', values[39]! - 1]]));
    expect(last.losses[0]!.loss).to.be.closeTo(1, 1e-9);
    const squared = scoreRound(input({ loss: 'squared' }), sealed, both);
    expect(squared.losses[0]!.loss).to.be.closeTo(5, 1e-9);
    const scaled = scoreRound(input({ loss: 'scaled' }), sealed, both);
    expect(scaled.losses[0]!.loss).to.be.closeTo(2 / result.series[0]!.scale, 1e-9);
  });
});

describe('the comparison over live rounds', () => {
  const options = { baseline: 'naive', overlap: 1, level: 0.9, resamples: 500, seed: 1 };
  const rounds = (count: number, lossesOf: (round: number) => (number | null)[]) =>
    Array.from({ length: count }, (_, at) => ({
      round: at + 1,
      losses: ['naive', 'good', 'bad'].map((entry, place) => ({ entry, loss: lossesOf(at)[place]! })),
    }));
  const noisy = (at: number) => [2 + ((at * 7) % 5) / 5, 1 + ((at * 3) % 5) / 9, 4 + ((at * 11) % 7) / 3];

  it('has mean losses but no winner below 20 rounds', () => {
    const standing = liveStanding(rounds(19, noisy), options);
    expect(standing).to.include({ verdict: 'too_few_rounds', winner: null, rounds: 19 });
    expect(standing.rows.map(({ entry }) => entry)).to.deep.equal(['good', 'naive', 'bad']);
    expect(standing.rows.every(({ rank }) => rank === null)).to.equal(true);
  });

  it('names a winner over 20 rounds, as a tournament does', () => {
    const standing = liveStanding(rounds(20, noisy), options);
    expect(standing).to.include({ verdict: 'winner', winner: 'good' });
    expect(standing.leaders).to.deep.equal(['good']);
    expect(
      liveStanding(
        rounds(20, () => [1, 1, 1]),
        options,
      ),
    ).to.include({ verdict: 'tie', winner: null });
  });

  it('disqualifies an entry without a loss, and is void without the baseline', () => {
    const without = liveStanding(
      rounds(3, (at) => [1, at === 1 ? null : 2, 3]),
      options,
    );
    expect(without.disqualified).to.deep.equal([{ entry: 'good', round: 2 }]);
    expect(
      liveStanding(
        rounds(3, () => [null, 2, 3]),
        options,
      ).verdict,
    ).to.equal('void');
  });

  it('is the comparison over the most rounds, regardless of the order in which rounds were resolved', () => {
    const [two, three] = [2, 3].map((count) => liveStanding(rounds(count, noisy), options));
    expect(newestStanding([{ standing: three! }, { standing: null }, { standing: two! }])).to.equal(three);
    expect(newestStanding([{ standing: null }])).to.equal(null);
  });

  it('gives the live rounds one of the states open, scoring, resolved and void', () => {
    const standing = liveStanding(rounds(2, noisy), options);
    expect(liveState(['resolved', 'scoring', 'planned'], standing)).to.equal('open');
    expect(liveState(['resolved', 'scoring'], standing)).to.equal('scoring');
    expect(liveState(['resolved', 'void'], standing)).to.equal('resolved');
    expect(liveState(['void', 'void'], null)).to.equal('void');
  });
});
