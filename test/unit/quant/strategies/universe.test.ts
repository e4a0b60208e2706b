import { expect } from 'chai';
import { prepareStrategy } from '#lib/quant/strategies/prepare-strategy.ts';
import type { StrategyData } from '#lib/quant/strategies/strategy-data.ts';
import type { Strategy } from '#lib/quant/strategies/strategy.schema.ts';
import { universeReasons } from '#lib/quant/strategies/universe-panel.ts';
import {
  dataOf,
  listOf,
  prepared,
  resolved,
  targetsAt,
  weekdaysFrom,
  MONDAY,
  type Closes,
} from './strategy-fixture.ts';

const days = weekdaysFrom(MONDAY, 8);
const flat: Closes = { A: [1, 1, 1, 1], B: [2, 2, 2, 2], C: [3, 3, 3, 3] };
const base: Strategy = {
  universe: listOf(flat),
  weight: { scheme: 'equal' },
  schedule: { every: 'session' },
};

/** Returns the reason why each symbol is or is not in the universe of a session. */
function reasonsAt(strategy: Strategy, data: StrategyData, session: number): Record<string, string> {
  const { context, symbols } = prepared(strategy, data);
  const codes = context.signals.universe;
  return Object.fromEntries(
    symbols.map((symbol, k) => [symbol, universeReasons[codes[session * symbols.length + k]!]!]),
  );
}

describe('the universe of a session', () => {
  it('contains the symbols of the newest version that was published by the end of the session', () => {
    const versions = [
      { since: days[0]!, symbols: ['A', 'B'] },
      { since: days[2]!, symbols: ['B', 'C'] },
    ];
    const strategy = { ...base, universe: { kind: 'constituents' } } as Strategy;
    const data = dataOf(flat, { versions });
    expect(reasonsAt(strategy, data, 1)).to.deep.equal({ A: 'in', B: 'in', C: 'not_published' });
    expect(reasonsAt(strategy, data, 2)).to.deep.equal({ A: 'not_published', B: 'in', C: 'in' });
  });

  it('contains the instruments whose sector was known in the session, and ignores facts that became known later', () => {
    const fact = (symbol: string, sector: string, since: string) => ({
      symbol,
      sector,
      since,
      observedOn: days[0]!,
      status: null,
      currency: null,
    });
    const instruments = [
      fact('A', 'Energy', days[0]!),
      fact('A', 'Materials', days[3]!),
      fact('B', 'Energy', days[2]!),
      fact('C', 'Materials', days[0]!),
    ];
    const strategy = { ...base, universe: { kind: 'sector', name: 'Energy' } } as Strategy;
    const data = dataOf(flat, { instruments });
    expect(reasonsAt(strategy, data, 1)).to.deep.equal({ A: 'in', B: 'not_published', C: 'not_published' });
    expect(reasonsAt(strategy, data, 2)).to.deep.equal({ A: 'in', B: 'in', C: 'not_published' });
    expect(reasonsAt(strategy, data, 3)).to.deep.equal({ A: 'not_published', B: 'in', C: 'not_published' });
  });

  it('leaves out symbols without a price, and those whose condition is false or unknown', () => {
    const closes: Closes = { A: [1, 2, 4, 8], B: [1, 2, null, 4], C: [4, 3, 2, 1], D: [null, null, 1, 2] };
    const universe = { ...listOf(closes), where: 'return(close, 2) > 0' };
    const reasons = reasonsAt({ ...base, universe }, dataOf(closes, { from: days[2]! }), 2);
    expect(reasons).to.deep.equal({ A: 'in', B: 'no_price', C: 'where_false', D: 'where_unknown' });
  });

  it('keeps the symbols with the largest mean dollar volume, and orders ties by symbol', () => {
    const closes: Closes = {
      A: Array.from({ length: 25 }, () => 1),
      B: Array.from({ length: 25 }, () => 3),
      C: Array.from({ length: 25 }, () => 3),
      D: Array.from({ length: 25 }, () => 2),
    };
    const most = { ...base, universe: { ...listOf(closes), most: 2 } };
    const reasons = reasonsAt(most, dataOf(closes), 24);
    expect(reasons).to.deep.equal({ A: 'above_most', B: 'in', C: 'in', D: 'above_most' });
  });

  it('is the set of symbols that functions across symbols compare', () => {
    const closes: Closes = { A: [1, 1, 1], B: [2, 2, 2], C: [30, 30, 30] };
    const strategy: Strategy = {
      ...base,
      universe: { ...listOf(closes), where: 'close < 10' },
      signals: { r: { expression: 'percentile(close)' } },
      select: { where: 'r = 1' },
    };
    expect(targetsAt(prepared(strategy, dataOf(closes)), 0)).to.deep.equal({ A: 0, B: 1, C: 0 });
  });
});

describe('a feature as a signal', () => {
  const strategy: Strategy = {
    ...base,
    signals: { f: { feature: 'f', version: 1 } },
    select: { by: 'f', top: 1 },
  };
  const values = (entity: string, states: string) => ({ entity, values: states });
  const dataWith = (entities: { entity: string; values: string }[], maxAgeDays = 100) =>
    dataOf(flat, { features: [{ signal: 'f', maxAgeDays, entities }] });
  const chosen = (data: StrategyData, session: number) =>
    Object.entries(targetsAt(prepared(strategy, data), session)!).find(([, weight]) => weight === 1)?.[0];

  it('causes a warning that the share of assumed knowledge times does not count values of features', () => {
    const warned = prepared(strategy, dataWith([])).warnings.find(
      ({ code }) => code === 'feature_knowledge_unrecorded',
    );
    expect(warned?.detail).to.contain('signals f read features');
  });

  it('has the values that were known at the end of the session', () => {
    const data = dataWith([
      values('A', `${days[0]} ${days[2]} 9`),
      values('B', `${days[0]} ${days[0]} 5,${days[1]} ${days[1]} 6`),
      values('C', `${days[3]} ${days[0]} 99`),
    ]);
    expect(chosen(data, 1)).to.equal('B');
    expect(chosen(data, 2)).to.equal('A');
    // The value of C became known before its event, and is used from the event on.
    expect(chosen(data, 3)).to.equal('C');
  });

  it('follows corrections and withdrawals from the day on which they were known', () => {
    const data = dataWith([
      values(
        'A',
        `${days[0]} ${days[0]} 9,${days[0]} ${days[2]} 1,${days[1]} ${days[1]} 8,${days[1]} ${days[2]} -`,
      ),
      values('B', `${days[0]} ${days[0]} 5`),
    ]);
    expect([0, 1, 2].map((session) => chosen(data, session))).to.deep.equal(['A', 'A', 'B']);
  });

  it('has no value that is older than the maximum age', () => {
    const data = dataWith(
      [
        values('A', `${days[0]} ${days[0]} 9`),
        values('B', `${days[0]} ${days[0]} 5,${days[2]} ${days[2]} 5`),
      ],
      1,
    );
    expect(chosen(data, 1)).to.equal('A');
    expect(chosen(data, 3)).to.equal('B');
  });
});

describe('the preparation of a strategy', () => {
  const refusalOf = (strategy: Strategy, data: StrategyData, sessionsMin = 1) => {
    const preparation = prepareStrategy(resolved(strategy), data, undefined, { sessionsMin });
    return preparation.ok ? null : [preparation.refusal.code, preparation.refusal.members];
  };

  it('refuses orders that are filled before their decision', () => {
    const same = { ...base, schedule: { lag: 0 } };
    expect(refusalOf(same, dataOf(flat))).to.deep.equal(['look_ahead', {}]);
    expect(refusalOf({ ...same, execution: { same_bar: true } }, dataOf(flat))).to.equal(null);
    const open = { ...same, execution: { same_bar: true, price: 'open' } } as Strategy;
    expect(refusalOf(open, dataOf(flat))).to.deep.equal(['look_ahead', {}]);
  });

  it('refuses a universe without a symbol, and names the first session that has a symbol', () => {
    const late: Closes = { A: [1, 2, 3, 4] };
    const where = (condition: string) => ({ ...base, universe: { ...listOf(late), where: condition } });
    expect(refusalOf(where('close > 2'), dataOf(late))).to.deep.equal([
      'universe_empty',
      { first_date: days[2] },
    ]);
    expect(refusalOf(where('close > 9'), dataOf(late))).to.deep.equal([
      'universe_empty',
      { first_date: null },
    ]);
  });

  it('refuses fewer than 60 sessions, and prices with large gaps', () => {
    const preparation = prepareStrategy(resolved(base), dataOf(flat));
    expect(preparation.ok ? null : preparation.refusal.members).to.deep.equal({ observed: 4, needed: 60 });
    const gaps: Closes = { A: [1, 1, 1, 1, 1, 1], B: [1, null, null, null, 1, 1] };
    expect(refusalOf({ ...base, universe: listOf(gaps) }, dataOf(gaps))).to.deep.equal([
      'market_history_insufficient',
      { observed: 0.75, needed: 0.8 },
    ]);
    expect(refusalOf(base, dataOf({ A: [1, 1], B: [], C: [] }))![0]).to.equal('market_history_insufficient');
  });

  it('refuses prices in another currency than the cash', () => {
    const fact = {
      symbol: 'B',
      observedOn: days[0]!,
      since: days[0]!,
      sector: null,
      status: null,
      currency: 'EUR',
    };
    expect(refusalOf(base, dataOf(flat, { instruments: [fact] }))).to.deep.equal([
      'currencies_mixed',
      { currencies: ['EUR', 'USD'], symbols: ['B'] },
    ]);
  });

  it('refuses a universe that is too large before it reads prices', () => {
    expect(refusalOf(base, dataOf(flat, { isTooLarge: true }))![0]).to.equal('backtest_too_large');
  });

  it('warns about survivorship, symbols without prices, gaps, and assumed knowledge times', () => {
    const twenty = (value: number) => Array.from({ length: 20 }, () => value);
    const closes: Closes = {
      A: twenty(1),
      B: twenty(1),
      C: twenty(1).map((value, t) => (t > 2 && t < 10 ? (null as never) : value)),
    };
    const data = dataOf(closes);
    data.prices[0]!.assumed = 20;
    const all = { ...data, symbols: [...data.symbols, 'Z'] };
    const strategy = resolved({ ...base, universe: { kind: 'observed' } });
    const preparation = prepareStrategy(strategy, all, undefined, { sessionsMin: 1 });
    if (!preparation.ok) throw new Error(preparation.refusal.detail);
    const { warnings, assumedKnowledgeShare } = preparation.prepared;
    expect(warnings.map(({ code, symbols }) => [code, symbols])).to.deep.equal([
      ['survivorship', []],
      ['no_prices', ['Z']],
      ['stale_valuation', ['C']],
      ['assumed_knowledge', []],
    ]);
    expect(assumedKnowledgeShare).to.equal(20 / 53);
  });
});
