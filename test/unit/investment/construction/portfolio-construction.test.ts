import { expect } from 'chai';
import type { ConstructionData } from '#lib/investment/construction/construction-data.ts';
import type { ConstructionRunInput } from '#lib/investment/construction/construction-run.schema.ts';
import { portfolioConstruction } from '#lib/investment/construction/portfolio-construction.ts';
import { relievedLots } from '#lib/investment/construction/relieved-lots.ts';
import type { Lot } from '#lib/investment/portfolios/lot.ts';
import { portfolio, shares } from '../../../support/portfolio.ts';
import { asOf, data, event, input } from './two-stocks.ts';

describe('the construction of a recorded portfolio', () => {
  it('trades at most the permitted share of the median daily volume', () => {
    const outcome = portfolioConstruction(input, data());
    if (!outcome.ok) expect.fail(outcome.refusal.detail);
    const { result, orders } = outcome;
    expect(result.observations).to.equal(40);
    expect(result.before).to.deep.equal({ A: 0.5, B: 0.5 });
    // The median daily volume is 110 shares. At most 20 % of it, 22 shares, may be traded.
    expect(result.trades.map(({ symbol, side, quantity }) => [symbol, side, quantity])).to.deep.equal([
      ['A', 'buy', '22'],
      ['B', 'sell', '22'],
    ]);
    expect(orders!.orders.map(({ side, settlement_date: day }) => [side, day])).to.deep.equal([
      ['buy', '2020-02-12'],
      ['sell', '2020-02-12'],
    ]);
  });

  it('tracks the current weights of a portfolio, with its cash', () => {
    const { group } = data();
    const other = (cells: readonly string[]) => ['index', ...cells.slice(1)].join('\t');
    const cash = [
      'main',
      'R-0',
      'deposit',
      '2020-01-02',
      '',
      '',
      '',
      '',
      '500000',
      'USD',
      '0',
      '',
      '',
      '',
      asOf,
    ];
    const bought = [event('R-1', 'A').with(6, '300'), event('R-2', 'B')];
    const benchmarkGroup = {
      ...group,
      portfolios: [{ ...portfolio({ portfolio: 'index' }), taxRegime: 'united_states' as const }],
      events: [cash.with(14, '2020-01-02T00:00:00Z'), ...bought].map(other).join('\n'),
    };
    const tracking: ConstructionRunInput = {
      ...input,
      objective: { kind: 'minimum_tracking_error' },
      benchmark_portfolio: {
        portfolio_uid: 'prt_01K8ZD3V2R6M8Q4T0W5Y7A9C1F',
        portfolio: 'index',
        group: [],
        recorded_until: null,
        events_sha256: '0'.repeat(64),
      },
      constraints: { cash_min: 0.2 },
    };
    const outcome = portfolioConstruction(tracking, data({ benchmarkGroup }));
    if (!outcome.ok) expect.fail(outcome.refusal.detail);
    const { weights, tracking_error: error } = outcome.result;
    // 300 and 100 shares of 10.00 each, and 1,000.00 in cash.
    expect(weights['A']).to.be.closeTo(0.6, 1e-9);
    expect(weights['B']).to.be.closeTo(0.2, 1e-9);
    expect(error).to.be.closeTo(0, 1e-9);
    const codeOf = (events: string) => {
      const found = portfolioConstruction(tracking, data({ benchmarkGroup: { ...benchmarkGroup, events } }));
      return found.ok ? null : [found.refusal.code, found.refusal.detail.includes('index')];
    };
    expect(codeOf(other(event('R-1', 'A').with(2, 'sell')))).to.deep.equal(['portfolio_inconsistent', true]);
    expect(codeOf(other(cash.with(9, 'EUR')))).to.deep.equal(['currencies_mixed', true]);
    expect(codeOf('')).to.deep.equal(['market_history_insufficient', true]);
    expect(codeOf(other(event('R-1', 'C')))).to.deep.equal(['market_history_insufficient', true]);
  });

  it('is refused for a stale price, cash in another currency, a sale above the position and too many rows', () => {
    const codeOf = (change: Partial<ConstructionData>) => {
      const outcome = portfolioConstruction(input, data(change));
      return outcome.ok ? null : outcome.refusal.code;
    };
    const { group, closes } = data();
    const stale = [closes[0]!, { symbol: 'B', on: '2020-02-01', price: '10' }];
    expect(codeOf({ closes: stale })).to.equal('market_history_insufficient');
    const quoted = (currency: string | null) => [{ ...closes[0]!, currency }, closes[1]!];
    expect(codeOf({ closes: quoted('EUR') })).to.equal('currencies_mixed');
    expect(codeOf({ closes: quoted(null) })).to.equal(null);
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

  it('sells lots in the order of the lot relief method of the portfolio', () => {
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
