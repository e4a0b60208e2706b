import { expect } from 'chai';
import type { PortfolioGroup } from '#lib/investment/portfolios/portfolio-group.ts';
import { valuedPositions } from '#lib/investment/portfolios/valued-positions.ts';

const terms = {
  baseCurrency: 'USD',
  accountKind: 'taxable',
  lotRelief: 'fifo',
  taxRegime: 'united_states',
  taxEntity: 'household',
  washGroup: 'household',
} as const;
const line = (portfolio: string, reference: string, type: string, quantity: number) =>
  `${portfolio}\t${reference}\t${type}\t2020-01-02\t\tAAPL\t${quantity}\t10\t\tUSD\t0\t\t\t\t2020-01-02T00:00:00.000000Z`;
const group: PortfolioGroup = {
  portfolios: ['one', 'other'].map((portfolio) => ({ portfolio, ...terms })),
  events: [line('one', 'A', 'buy', 3), line('one', 'B', 'buy', 4), line('other', 'C', 'sell', 1)].join('\n'),
  splits: [],
  asOf: '2020-01-10',
};

describe('the valued positions of portfolios', () => {
  it('are summed by symbol and listed with cash, but not for a portfolio with inconsistent events', () => {
    const closes = [{ symbol: 'AAPL', on: '2020-01-09', price: '12.345' }];
    const found = valuedPositions(group, { keys: ['one', 'other'], closes });
    // Each lot is rounded half to even separately: 3,703.5 to 3,704. The other lot, 4,938, needs no rounding.
    expect(found.get('one')).to.deep.equal({
      state: 'consistent',
      positions: [
        { symbol: 'AAPL', currency: 'USD', quantity: 700_000_000n, valueMinor: 8_642n, otherCurrency: null },
      ],
      cash: [{ currency: 'USD', amountMinor: -7_000n }],
    });
    expect(found.get('other')).to.include({ state: 'inconsistent' });
  });

  it('have a value of null if the close is more than 7 days old', () => {
    const closes = [{ symbol: 'AAPL', on: '2020-01-02', price: '12' }];
    const found = valuedPositions(group, { keys: ['one'], closes }).get('one');
    expect(found?.state === 'consistent' && found.positions[0]?.valueMinor).to.equal(null);
  });

  it('have no value if the close is in another currency, and assume the base currency if it is unknown', () => {
    const valueAt = (currency: string | null, baseCurrency = 'USD') => {
      const portfolios = group.portfolios.map((each) => ({ ...each, baseCurrency }));
      const closes = [{ symbol: 'AAPL', on: '2020-01-09', price: '12', currency }];
      const found = valuedPositions({ ...group, portfolios }, { keys: ['one'], closes }).get('one');
      const position = found?.state === 'consistent' ? found.positions[0] : undefined;
      return [position?.valueMinor, position?.otherCurrency];
    };
    expect(valueAt('USD')).to.deep.equal([8_400n, null]);
    expect(valueAt('EUR')).to.deep.equal([null, 'EUR']);
    expect(valueAt(null)).to.deep.equal([8_400n, null]);
    expect(valueAt(null, 'EUR')).to.deep.equal([null, 'EUR']);
  });
});
