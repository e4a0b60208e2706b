import { expect } from 'chai';
import type { ConstructionData } from '#lib/investment/construction/construction-data.ts';
import type { ConstructionRunInput } from '#lib/investment/construction/construction-run.schema.ts';
import { portfolioConstruction } from '#lib/investment/construction/portfolio-construction.ts';
import { relievedLots } from '#lib/investment/construction/relieved-lots.ts';
import type { Lot } from '#lib/investment/portfolios/lot.ts';
import { portfolio, shares } from '../../../support/portfolio.ts';

const SESSIONS = 41;
const days = Array.from({ length: SESSIONS }, (_, at) =>
  new Date(Date.UTC(2020, 0, 1 + at)).toISOString().slice(0, 10),
);
const asOf = days.at(-1)!;

const input: ConstructionRunInput = {
  portfolio: 'main',
  portfolios: [],
  events_until: null,
  as_of: asOf,
  universe: { kind: 'holdings' },
  excluded: [],
  objective: { kind: 'minimum_variance' },
  returns: { kind: 'none' },
  feature: null,
  risk_free: 0,
  benchmark: null,
  risk: { estimator: 'sample', half_life: null, factor_run_uid: null, frequency: 'daily', window: 40 },
  constraints: { cash_min: 0, liquidity: { share_of_volume: 0.2, days: 1 } },
  costs: null,
  tax: null,
  frontier_points: 0,
  cash_added_minor: 0,
};

const series = (valueOf: (at: number) => number | string) =>
  days.map((day, at) => `${day} ${valueOf(at)}`).join(',');
const event = (reference: string, symbol: string) => [
  'main',
  reference,
  'buy',
  '2020-01-02',
  '',
  symbol,
  '100',
  '10',
  '',
  'USD',
  '0',
  '',
  '',
  '',
  '2020-01-02T00:00:00Z',
];
const data = (change: Partial<ConstructionData> = {}): ConstructionData => ({
  group: {
    portfolios: [{ ...portfolio(), taxRegime: 'united_states' }],
    events: [
      [
        'main',
        'R-0',
        'deposit',
        '2020-01-02',
        '',
        '',
        '',
        '',
        '200000',
        'USD',
        '0',
        '',
        '',
        '',
        '2020-01-02T00:00:00Z',
      ],
      event('R-1', 'A'),
      event('R-2', 'B'),
    ]
      .map((each) => each.join('\t'))
      .join('\n'),
    splits: [],
    asOf,
  },
  listed: null,
  symbols: 2,
  isTooLarge: false,
  instruments: [],
  exposures: [],
  closes: ['A', 'B'].map((symbol) => ({ symbol, on: asOf, price: '10' })),
  prices: [
    { symbol: 'A', observations: series((at) => 10 + (at % 3) / 10) },
    { symbol: 'B', observations: series((at) => 10 + (at % 5) / 2) },
  ],
  volumes: ['A', 'B'].map((symbol) => ({ symbol, observations: series((at) => (at % 2 ? 90 : 110)) })),
  feature: null,
  factorRun: undefined,
  ...change,
});

describe('the construction of a recorded portfolio', () => {
  it('trades at most a share of the median volume of the last sessions', () => {
    const outcome = portfolioConstruction(input, data());
    if (!outcome.ok) expect.fail(outcome.refusal.detail);
    const { result, orders } = outcome;
    expect(result.observations).to.equal(40);
    expect(result.before).to.deep.equal({ A: 0.5, B: 0.5 });
    // 20 % of 110 shares of 10.00 each.
    expect(result.trades.map(({ symbol, side, quantity }) => [symbol, side, quantity])).to.deep.equal([
      ['A', 'buy', '22'],
      ['B', 'sell', '22'],
    ]);
    expect(orders!.orders.map(({ side, settlement_date: day }) => [side, day])).to.deep.equal([
      ['buy', '2020-02-12'],
      ['sell', '2020-02-12'],
    ]);
  });

  it('refuses a stale price, cash in another currency, and contradicting events', () => {
    const codeOf = (change: Partial<ConstructionData>) => {
      const outcome = portfolioConstruction(input, data(change));
      return outcome.ok ? null : outcome.refusal.code;
    };
    const { group, closes } = data();
    const stale = [closes[0]!, { symbol: 'B', on: '2020-02-01', price: '10' }];
    expect(codeOf({ closes: stale })).to.equal('market_history_insufficient');
    const withEvent = (cells: string[]) => ({
      group: { ...group, events: `${group.events}\n${cells.join('\t')}` },
    });
    const euros = [
      'main',
      'R-3',
      'deposit',
      '2020-01-03',
      '',
      '',
      '',
      '',
      '5',
      'EUR',
      '0',
      '',
      '',
      '',
      '2020-01-03T00:00:00Z',
    ];
    expect(codeOf(withEvent(euros))).to.equal('currencies_mixed');
    const sale = event('R-4', 'A').with(2, 'sell').with(6, '101');
    expect(codeOf(withEvent(sale))).to.equal('portfolio_inconsistent');
    expect(codeOf({ isTooLarge: true })).to.equal('too_large');
  });

  it('names lots in the order in which the portfolio relieves them', () => {
    const lot = (name: string, quantity: string, basisMinor: bigint) =>
      ({ lot: name, slice: 0, quantity: shares(quantity), basisMinor, longFrom: '2021-01-01' }) as Lot;
    const lots = [lot('a', '10', 1_000n), lot('b', '10', 3_000n), lot('c', '20', 4_000n)];
    const orderOf = (relief: 'fifo' | 'lifo' | 'hifo' | 'lofo' | 'min_tax') =>
      relievedLots(lots, { relief, asOf, price: shares('10'), currency: 'USD' }).map((each) => each.lot);
    expect(orderOf('fifo')).to.deep.equal(['a', 'b', 'c']);
    expect(orderOf('lifo')).to.deep.equal(['c', 'b', 'a']);
    expect(orderOf('hifo')).to.deep.equal(['b', 'c', 'a']);
    expect(orderOf('lofo')).to.deep.equal(['a', 'c', 'b']);
    expect(orderOf('min_tax')).to.deep.equal(['b', 'c', 'a']);
  });
});
