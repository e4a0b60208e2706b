import { expect } from 'chai';
import { addDays } from '#lib/core/date.ts';
import { sharpeRatio } from '#lib/numerics/risk/sharpe-ratio.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { enteredStrategies, type StrategyEntry } from '#lib/quant/tournaments/strategies/equal-weight.ts';
import { strategiesOutcome } from '#lib/quant/tournaments/strategies/strategies-outcome.ts';
import { strategyFaults } from '#lib/quant/tournaments/strategies/strategies-faults.ts';
import {
  simulateStrategies,
  simulationsOf,
  strategyParts,
} from '#lib/quant/tournaments/strategies/strategy-curves.ts';
import {
  chosenVariants,
  originReturns,
  sessionOrigins,
} from '#lib/quant/tournaments/strategies/strategy-origins.ts';
import { trialsByFamily } from '#lib/quant/tournaments/strategies/strategy-trials.ts';
import type { TournamentInput } from '#lib/quant/tournaments/tournament-input.schema.ts';
import { dataOf, MONDAY, resolved, weekdaysFrom } from '../strategies/strategy-fixture.ts';
import { idle, inputOf } from './tournament-cases.ts';

const SESSIONS = 300;
const days = weekdaysFrom(MONDAY, SESSIONS);
/** Prices with a drift and a swing that repeats. */
const path = (start: number, drift: number, swing: number) =>
  Array.from({ length: SESSIONS }, (_, t) => {
    let price = start;
    for (let at = 0; at < t; at += 1) price *= 1 + drift + swing * (((at * 37) % 23) / 23 - 11 / 23);
    return Math.round(price * 1e4) / 1e4;
  });
const closes = { A: path(100, 0.003, 0.02), B: path(50, -0.002, 0.03), C: path(80, 0.0005, 0.01) };
const data = { sets: [dataOf(closes)], setOf: [0, 0, 0, 0, 0, 0] };

const hold = (...symbols: string[]): Strategy => ({
  universe: { kind: 'list', symbols: ['A', 'B', 'C'] },
  weight: { scheme: 'fixed', fixed: Object.fromEntries(symbols.map((each) => [each, 1 / symbols.length])) },
});
const momentum: Strategy = {
  universe: { kind: 'list', symbols: ['A', 'B', 'C'] },
  signals: { m: { expression: 'return(adj_close, $days)' } },
  select: { by: 'm', top: 1 },
  weight: { scheme: 'equal' },
  parameters: { days: 20 },
};
const even: Strategy = { universe: { kind: 'list', symbols: ['A', 'B', 'C'] }, weight: { scheme: 'equal' } };

function entry(name: string, strategy: Strategy, variants: Strategy[] = []): StrategyEntry {
  return {
    name,
    kind: 'strategy',
    method: null,
    strategy: {
      family: canonicalHash(name),
      rules: resolved(strategy),
      parameters: {},
      features: [],
      variants: variants.map((each) => ({ parameters: {}, rules: resolved(each) })),
    },
  };
}

const withDays = (count: number): Strategy => ({ ...momentum, parameters: { days: count } });

function strategies(entries: StrategyEntry[], changed: Partial<TournamentInput> = {}): TournamentInput {
  return inputOf({
    task: 'strategies',
    metrics: [],
    strategies: { from: days[0]!, to: days.at(-1)!, as_of: days.at(-1)! },
    entries,
    horizon: 5,
    step: 5,
    most: 500,
    loss: 'sharpe',
    ...changed,
  });
}

function outcomeOf(input: TournamentInput, of = data) {
  const numbers = simulateStrategies(input, of, { part: null, control: idle });
  const outcome = strategiesOutcome(input, of, numbers);
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return { ...outcome.output.result, losses: outcome.attachments.losses };
}

describe('a tournament of strategies', () => {
  it('has mean losses that are the negative Sharpe ratios of the returns over the horizon', () => {
    const found = outcomeOf(strategies([entry('a', hold('A')), entry('b', hold('B'))]));
    expect(found).to.include({ state: 'resolved', baseline: 'equal_weight' });
    expect(found.observations).to.include({ kind: 'origin', count: 59, overlap: 1 });
    const numbers = simulateStrategies(strategies([entry('a', hold('A'))]), data, {
      part: null,
      control: idle,
    });
    const values = numbers.subarray(1 + SESSIONS, 1 + 2 * SESSIONS);
    const returns = Array.from({ length: 59 }, (_, at) => values[5 * at + 5]! / values[5 * at]! - 1);
    const ratio = sharpeRatio(returns, { riskFree: 0, periodsPerYear: 1 })! * Math.sqrt(59 / 58);
    const row = found.leaderboard.find(({ entry: name }) => name === 'a')!;
    expect(row.mean_loss).to.be.closeTo(-ratio, 1e-12);
    expect(row.skill).to.equal(null);
    expect(found.leaderboard.map(({ entry: name }) => name)).to.deep.equal(['a', 'equal_weight', 'b']);
  });

  it('hashes the attachment with the losses of every entry', () => {
    const found = outcomeOf(strategies([entry('a', hold('A')), entry('b', hold('B'))]));
    expect(canonicalHash(found.losses)).to.equal(found.losses_sha256);
    expect(found.losses.losses.map(({ entry: name }) => name)).to.deep.equal(['a', 'b', 'equal_weight']);
    expect(found.losses.origin).to.have.length(59);
  });

  it('has the same result in parts of one entry each as in one thread', () => {
    const input = strategies([entry('m', withDays(5), [withDays(20), withDays(60)]), entry('a', hold('A'))]);
    const sizes = [3, 1, 1];
    let first = 0;
    const numbers = sizes.flatMap((count) => {
      const part = { round: 0, first, count };
      first += count;
      return [...simulateStrategies(input, data, { part, control: idle })];
    });
    const whole = simulateStrategies(input, data, { part: null, control: idle });
    expect(numbers).to.deep.equal([...whole]);
  });

  it('ties identical strategies, and gives the baseline another name if its name is taken', () => {
    const found = outcomeOf(strategies([entry('equal_weight', hold('A')), entry('twin', hold('A'))]));
    expect(found).to.include({ winner: null, baseline: 'equal_weight.baseline' });
    const [one, two] = found.leaderboard;
    expect([one!.rank, two!.rank]).to.deep.equal([1.5, 1.5]);
    expect(found.leaderboard[1]!.against_best).to.include({ reason: 'equal_losses' });
  });

  it('uses an entry with the rules of the baseline as the baseline', () => {
    const { entries, baseline } = enteredStrategies(strategies([entry('a', hold('A')), entry('mine', even)]));
    expect([entries.length, baseline]).to.deep.equal([2, 1]);
  });

  it('disqualifies strategies whose simulation is refused, whose value ends, or whose returns do not vary', () => {
    const early: Strategy = { ...even, schedule: { lag: 0 } };
    const idleCash: Strategy = { ...even, select: { minimum: 4 } };
    const gone = { ...closes, B: closes.B.map((price, t) => (t < 100 ? price : price * 1e6)) };
    const short: Strategy = { ...even, weight: { scheme: 'fixed', fixed: { B: -1 } } };
    const found = outcomeOf(
      strategies([
        entry('a', hold('A')),
        entry('early', early),
        entry('cash', idleCash),
        entry('short', short),
      ]),
      { sets: [dataOf(gone)], setOf: [0, 0, 0, 0, 0] },
    );
    const reasons = Object.fromEntries(
      found.disqualified.map(({ entry: name, reason, origin }) => [name, [reason, origin]]),
    );
    expect(reasons['early']).to.deep.equal(['look_ahead', days[0]]);
    expect(reasons['cash']).to.deep.equal(['constant_returns', days[0]]);
    expect(reasons['short']![0]).to.equal('bankrupt');
    expect(reasons['short']![1]! >= days[100]!).to.equal(true);
    expect(found.disqualified.every(({ metric }) => metric === 'returns')).to.equal(true);
    expect(found.state).to.equal('resolved');
  });

  it('refuses fewer than 20 origins', () => {
    const input = strategies([entry('a', hold('A')), entry('b', hold('B'))], { horizon: 15, step: 15 });
    const outcome = strategiesOutcome(
      input,
      data,
      simulateStrategies(input, data, { part: null, control: idle }),
    );
    expect(outcome.ok ? null : outcome.refusal).to.deep.include({ code: 'origins_insufficient' });
  });

  it('compares sessions that all strategies have', () => {
    const shifted = dataOf(
      Object.fromEntries(
        Object.entries(closes).map(([symbol, values]) => [
          symbol,
          values.map((v, t) => (t % 10 === 3 ? null : v)),
        ]),
      ),
    );
    const input = strategies([entry('a', hold('A')), entry('b', hold('B'))], { horizon: 1, step: 1 });
    const found = outcomeOf(input, { sets: [data.sets[0]!, shifted], setOf: [0, 1, 0] });
    expect(found.series[0]!.periods).to.equal(270);
    expect(found.losses.origin).not.to.include(days[3]);
  });

  it('counts every entered strategy and variant as a trial of its family', () => {
    const input = strategies([entry('m', withDays(5), [withDays(20)]), entry('a', hold('A'))]);
    const found = outcomeOf(input);
    expect(found.trials!.map(({ entry: name, variant }) => [name, variant])).to.deep.equal([
      ['m', 0],
      ['m', 1],
      ['a', 0],
    ]);
    const families = trialsByFamily(input, found);
    expect(families.map(({ trials }) => trials.length)).to.deep.equal([2, 1]);
    expect(new Set(families.flatMap(({ trials }) => trials.map(({ hash }) => hash))).size).to.equal(3);
    expect(trialsByFamily(inputOf(), {})).to.deep.equal([]);
  });

  it('divides large tournaments by entries, and keeps small ones whole', () => {
    const symbols = Array.from({ length: 400 }, (_, at) => `S${at}`);
    const wide = (each: Strategy): Strategy => ({ ...each, universe: { kind: 'list', symbols } });
    const input = strategies(
      [
        entry('m', wide(withDays(5)), [wide(withDays(20))]),
        entry('e', wide({ ...even, schedule: { every: 'week' } })),
      ],
      { strategies: { from: '1990-01-01', to: '2019-12-31', as_of: '2020-01-01' } },
    );
    expect(strategyParts(input)).to.deep.equal([
      { round: 0, first: 0, count: 2 },
      { round: 0, first: 2, count: 1 },
      { round: 0, first: 3, count: 1 },
    ]);
    expect(simulationsOf(input)).to.have.length(4);
    expect(strategyParts(strategies([entry('a', hold('A'))]))).to.equal(null);
  });
});

describe('the origins of a tournament of strategies', () => {
  const plan = { first: null, step: 1, most: 500, horizon: 1 };

  it('are the newest origins that a whole horizon follows', () => {
    expect(sessionOrigins(10, { ...plan, first: 4, step: 3, horizon: 2 }, false)).to.deep.equal([4, 7]);
    expect(sessionOrigins(5, plan, false)).to.deep.equal([1, 2, 3, 4]);
    expect(sessionOrigins(40, plan, true)[0]).to.equal(20);
    expect(sessionOrigins(10, { ...plan, most: 2 }, false)).to.deep.equal([8, 9]);
    expect(sessionOrigins(3, { ...plan, horizon: 5 }, false)).to.deep.equal([]);
  });

  it('choose among variants only from the sessions before an origin', () => {
    const rising = Float64Array.from({ length: 40 }, (_, t) => 100 + 2 * t + (t % 3));
    const falling = Float64Array.from({ length: 40 }, (_, t) => 200 - 2 * t + (t % 3));
    const turning = Float64Array.from({ length: 40 }, (_, t) => (t < 20 ? falling[t]! : 50 + 20 * (t - 20)));
    const options = { window: 'expanding', refit_every: 1 } as const;
    const origins = [10, 15, 20, 35];
    expect(chosenVariants([falling, rising], origins, options)).to.deep.equal([1, 1, 1, 1]);
    const later = [...rising];
    later[36] = 0.001;
    expect(chosenVariants([falling, Float64Array.from(later)], origins, options)).to.deep.equal([1, 1, 1, 1]);
    expect(
      chosenVariants([rising, turning], origins, { window: { rolling: 14 }, refit_every: 3 }),
    ).to.deep.equal([0, 0, 0, 1]);
    expect(
      chosenVariants([rising, turning], origins, { window: { rolling: 14 }, refit_every: 4 }),
    ).to.deep.equal([0, 0, 0, 0]);
    expect(chosenVariants([rising, rising], origins, options)).to.deep.equal([0, 0, 0, 0]);
    expect(chosenVariants([rising], origins, options)).to.deep.equal([0, 0, 0, 0]);
  });

  it('have returns of the chosen set, and are refused from the origin at which the strategy has no value left', () => {
    const values = Float64Array.of(100, 110, 121, 0, 0);
    const found = originReturns([values], { origins: [1, 2, 3], chosen: [0, 0, 0], horizon: 1 });
    expect(found.ok && [...found.returns].map((each) => Math.round(each * 1e9) / 1e9)).to.deep.equal([
      0.1, 0.1, -1,
    ]);
    expect(originReturns([values], { origins: [3, 4], chosen: [0, 0], horizon: 1 })).to.deep.equal({
      ok: false,
      place: 1,
    });
  });
});

describe('a request of a tournament of strategies', () => {
  const task = { kind: 'strategies', from: days[0]!, to: addDays(days[0]!, 400) } as const;
  const of = (changed: object) =>
    strategyFaults({ task, horizon: 1, entries: [{ name: 'a', strategy: even }], ...changed }).map(
      ({ pointer, code }) => [pointer, code],
    );

  it('may have only strategies and only the Sharpe loss', () => {
    expect(of({})).to.deep.equal([]);
    expect(of({ loss: 'sharpe' })).to.deep.equal([]);
    expect(of({ loss: 'absolute' })).to.deep.equal([['/loss', 'not_applicable']]);
    expect(of({ entries: [{ statistical: 'theta' }] })).to.deep.equal([['/entries/0', 'not_applicable']]);
    const series = { kind: 'series', metrics: [{ metric: 'economics.GDP' }] };
    expect(of({ task: series })).to.deep.equal([['/entries/0/strategy', 'not_applicable']]);
    expect(of({ task: series, entries: [{ statistical: 'theta' }], loss: 'sharpe' })).to.deep.equal([
      ['/loss', 'not_applicable'],
    ]);
    const variants = Array.from({ length: 63 }, (_, at) => ({ days: at }));
    expect(of({ entries: [{ name: 'a', strategy: even, variants }] })).to.deep.equal([]);
    expect(
      of({
        entries: [
          { name: 'a', strategy: even, variants },
          { name: 'b', strategy: even },
        ],
      }),
    ).to.deep.equal([['/entries', 'maximum']]);
  });
});
