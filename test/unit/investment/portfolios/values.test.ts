import { expect } from 'chai';
import { valueLots } from '#lib/investment/portfolios/lot-values.ts';
import { lotTotals } from '#lib/investment/portfolios/lot-totals.ts';
import { deriveLots } from '#lib/investment/portfolios/lots.ts';
import { derivePools } from '#lib/investment/portfolios/pools.ts';
import { recognisedGains } from '#lib/investment/portfolios/recognised-gains.ts';
import type { PortfolioEvent } from '#lib/investment/portfolios/portfolio-event.ts';
import { averageCost, unitedKingdom, unitedStates, type Regime } from '#lib/investment/tax/regime.ts';
import { buy, event, portfolio, sell, shares } from '../../../support/portfolio.ts';

const asOf = '2024-06-28';
const portfolios = [portfolio()];

function lotsOf(events: readonly PortfolioEvent[]) {
  return [...deriveLots({ events, splits: [], portfolios, asOf }).lots];
}

describe('valueLots', () => {
  const lots = lotsOf([
    buy('2023-06-27', '10.5', 63_000n, { symbol: 'A' }),
    buy('2023-06-28', '1', 100n, { symbol: 'B', reference: 'b' }),
    buy('2024-06-28', '1', 0n, { symbol: 'C' }),
  ]);

  it('rounds each value half to even, and states the holding period on the day', () => {
    const prices = new Map([
      ['A', { price: '45.013', on: '2024-06-21' }],
      ['B', { price: '0.125', on: asOf }],
      ['C', { price: '0.135', on: asOf }],
    ]);
    const valued = valueLots(lots, { prices, asOf });
    expect(
      valued.map(({ valueMinor, gainMinor, gainBps, term }) => [valueMinor, gainMinor, gainBps, term]),
    ).to.deep.equal([
      [47_264n, -15_736n, -2_498n, 'long'],
      [12n, -88n, -8_800n, 'short'],
      [14n, 14n, null, 'short'],
    ]);
  });

  it('returns a value of null if the price is missing, of a later day, or more than 7 days old', () => {
    const prices = new Map([
      ['A', { price: '45', on: '2024-06-20' }],
      ['B', { price: '1', on: '2024-06-29' }],
    ]);
    const valued = valueLots(lots, { prices, asOf });
    expect(valued.map(({ valueMinor, isPriceStale }) => [valueMinor, isPriceStale])).to.deep.equal([
      [null, true],
      [null, false],
      [null, false],
    ]);
    expect(lotTotals(valued)).to.deep.equal([
      {
        ...lotTotals(valued)[0],
        currency: 'USD',
        term: 'long',
        lots: 1,
        unpricedLots: 1,
        unpricedBasisMinor: 63_000n,
        valueMinor: 0n,
      },
      {
        ...lotTotals(valued)[1],
        currency: 'USD',
        term: 'short',
        lots: 2,
        unpricedLots: 2,
        unpricedBasisMinor: 100n,
        gainMinor: 0n,
      },
    ]);
  });

  it('returns a value of null if the price is in another currency than the lot', () => {
    const prices = new Map([
      ['A', { price: '45', on: asOf, currency: 'EUR' }],
      ['B', { price: '1', on: asOf, currency: 'USD' }],
      ['C', { price: '1', on: '2024-06-20', currency: 'EUR' }],
    ]);
    const valued = valueLots(lots, { prices, asOf });
    expect(valued.map((each) => [each.valueMinor, each.price, each.otherCurrency])).to.deep.equal([
      [null, null, 'EUR'],
      [100n, '1', null],
      [null, null, 'EUR'],
    ]);
    expect(lotTotals(valued).map(({ valueMinor, unpricedLots }) => [valueMinor, unpricedLots])).to.deep.equal(
      [
        [0n, 1],
        [100n, 1],
      ],
    );
  });

  it('throws on a price that is not a decimal without an exponent', () => {
    expect(() => valueLots(lots, { prices: new Map([['A', { price: '1e3', on: asOf }]]), asOf })).to.throw(
      RangeError,
    );
  });
});

describe('recognisedGains', () => {
  it('sums the gains recognised in a period by the taxable portfolios of a tax entity', () => {
    const all = [portfolio(), portfolio({ portfolio: 'ira', accountKind: 'tax_exempt' })];
    const { disposals } = deriveLots({
      events: [
        buy('2022-01-03', '10', 1_000n),
        sell('2023-12-29', '1', 500n, { reference: 'last year' }),
        sell('2024-01-05', '2', 500n, { reference: 'this year' }),
        buy('2024-01-03', '1', 100n, { portfolio: 'ira' }),
        sell('2024-01-09', '1', 900n, { portfolio: 'ira' }),
      ],
      splits: [],
      portfolios: all,
      asOf,
    });
    const period = { from: '2024-01-01', to: '2024-12-31', currency: 'USD' };
    const found = recognisedGains({
      disposals: [...disposals],
      portfolios: all,
      taxEntity: 'owner',
      ...period,
    });
    expect(found).to.deep.equal({ shortMinor: 0n, longMinor: 300n, otherCurrencies: [] });
  });
});

describe('derivePools', () => {
  const pounds = { currency: 'GBP' };
  const pooled = (
    events: readonly PortfolioEvent[],
    regime: Regime = unitedKingdom,
    splits = [] as never[],
  ) => derivePools({ events, splits, portfolios, asOf: '2030-01-01', regime });

  it('computes the moving average basis of a portfolio in a regime of average cost', () => {
    const { pools, disposals } = pooled(
      [
        buy('2024-01-02', '100', 100_000n),
        buy('2024-02-02', '100', 200_000n),
        sell('2024-03-01', '50', 100_000n),
        buy('2024-03-05', '50', 900_000n),
      ],
      averageCost,
    );
    expect(disposals[0]).to.include({ rule: 'pool', basisMinor: 75_000n, gainMinor: 25_000n });
    expect(pools[0]).to.include({ scope: 'main', quantity: shares('200'), basisMinor: 1_125_000n });
  });

  it('matches a sale with purchases of the same day, then of the next 30 days, then with the pool', () => {
    const { pools, disposals } = pooled([
      buy('2024-01-02', '100', 100_000n, pounds),
      buy('2024-03-01', '10', 20_000n, pounds),
      sell('2024-03-01', '50', 100_000n, pounds),
      buy('2024-03-31', '20', 30_000n, pounds),
      buy('2024-04-01', '20', 99_000n, pounds),
    ]);
    expect(
      disposals.map(({ rule, matchedOn, quantity, proceedsMinor, basisMinor }) => {
        return [rule, matchedOn, quantity / shares('1'), proceedsMinor, basisMinor];
      }),
    ).to.deep.equal([
      ['same_day', '2024-03-01', 10n, 20_000n, 20_000n],
      ['days_after', '2024-03-31', 20n, 40_000n, 30_000n],
      ['pool', null, 20n, 40_000n, 20_000n],
    ]);
    expect(pools[0]).to.include({ scope: 'owner', quantity: shares('100'), basisMinor: 179_000n });
  });

  it('converts purchases after a split to pre-split shares if they match a sale before the split', () => {
    const split = {
      symbol: 'X',
      exOn: '2024-03-10',
      ratio: '2',
      knownAt: '2024-03-10T00:00:00Z',
      withdrawn: false,
    };
    const { pools, disposals } = derivePools({
      events: [
        buy('2024-01-02', '100', 100_000n, pounds),
        sell('2024-03-01', '50', 100_000n, pounds),
        buy('2024-03-20', '60', 66_000n, pounds),
      ],
      splits: [split],
      portfolios,
      asOf: '2030-01-01',
      regime: unitedKingdom,
    });
    expect(
      disposals.map(({ rule, quantity, basisMinor }) => [rule, quantity / shares('1'), basisMinor]),
    ).to.deep.equal([
      ['days_after', 30n, 66_000n],
      ['pool', 20n, 20_000n],
    ]);
    expect(pools[0]).to.include({ quantity: shares('160'), basisMinor: 80_000n });
  });

  it('reports a sale above the quantity of the pool, and throws for a regime with lots', () => {
    const { faults } = pooled([buy('2024-01-02', '1', 1n), sell('2024-01-03', '2', 1n)]);
    expect(faults.map(({ code, held }) => [code, held])).to.deep.equal([['sale_exceeds_lots', shares('1')]]);
    expect(() => pooled([], unitedStates)).to.throw(RangeError, 'no pools');
  });

  it('recognises the excess of returned capital over the basis as a gain', () => {
    const { pools, disposals } = pooled([
      buy('2024-01-02', '10', 100n, pounds),
      event('return_of_capital', '2024-02-01', { amountMinor: 130n, ...pounds }),
    ]);
    expect(disposals.map(({ gainMinor }) => gainMinor)).to.deep.equal([30n]);
    expect(pools[0]?.basisMinor).to.equal(0n);
  });
});
