import { expect } from 'chai';
import holders, { type HoldersInput } from '#lib/investment/company/holders.ts';

/** Returns a line of an event text: a purchase or sale by a portfolio on 2020-01-02, or a cash event. */
function line(portfolio: string, [reference, type, symbol, quantity, amount, currency]: string[]): string {
  const known = '2020-01-02T12:00:00.000000Z';
  return [
    portfolio,
    reference,
    type,
    '2020-01-02',
    '',
    symbol,
    quantity,
    '',
    amount,
    currency,
    '0',
    '',
    '',
    '',
    known,
  ].join('\t');
}

function input(lines: string[], keys: string[]): HoldersInput {
  return {
    symbols: ['META', 'FB'],
    portfolios: keys.map((key) => ({ uid: `prt_${key}`, key, name: key.toUpperCase() })),
    group: {
      portfolios: keys.map((portfolio) => ({
        portfolio,
        baseCurrency: 'USD',
        accountKind: 'taxable',
        lotRelief: 'fifo',
        taxRegime: 'united_states',
        taxEntity: 'owner',
        washGroup: 'owner',
      })),
      events: lines.toSorted().join('\n'),
      splits: [],
      asOf: '2020-01-10',
    },
    closes: [
      { symbol: 'META', on: '2020-01-09', price: '20' },
      { symbol: 'GE', on: '2020-01-09', price: '10' },
      { symbol: 'OLD', on: '2019-12-01', price: '10' },
    ],
    knownAt: '2020-01-02T12:00:00.000Z',
    ageDays: 8,
  };
}

describe('holders', () => {
  it('divides the value of a position by the value of all positions and the cash', () => {
    const found = holders(
      input(
        [
          line('a', ['1', 'buy', 'META', '10', '15000', 'USD']),
          line('a', ['2', 'buy', 'GE', '20', '20000', 'USD']),
          line('a', ['3', 'deposit', '', '', '75000', 'USD']),
          line('b', ['1', 'transfer_in', 'GE', '1', '', 'USD']).replace(
            '\t\t\t\t2020',
            '\t\t2020-01-02\t100\t2020',
          ),
        ],
        ['a', 'b'],
      ),
    );
    expect(found.portfolios).to.deep.equal([
      {
        portfolio: 'a',
        portfolio_uid: 'prt_a',
        name: 'A',
        symbol: 'META',
        quantity: '10',
        currency: 'USD',
        value_minor: 20_000,
        weight: 0.25, // A value of 200 in a total of 800: 200 + 200 + 400 in cash.
        weight_reason: null,
      },
    ]);
    expect(found).to.deep.include({ dataset: null, age_days: 8, inconsistent: [] });
  });

  it('lists a former symbol after the current symbol, and no position that was sold', () => {
    const found = holders(
      input(
        [
          line('a', ['1', 'buy', 'FB', '3', '300', 'USD']),
          line('a', ['2', 'buy', 'META', '2.5', '300', 'USD']),
          line('b', ['1', 'buy', 'META', '2', '300', 'USD']),
          line('b', ['2', 'sell', 'META', '2', '300', 'USD']),
        ],
        ['a', 'b'],
      ),
    );
    expect(
      found.portfolios.map(({ portfolio, symbol, quantity }) => [portfolio, symbol, quantity]),
    ).to.deep.equal([
      ['a', 'META', '2.5'],
      ['a', 'FB', '3'],
    ]);
  });

  it('states why a position has no weight', () => {
    const own = (key: string, symbol: string, currency: string) =>
      line(key, ['1', 'buy', symbol, '1', '2000', currency]);
    const found = holders(
      input(
        [
          own('price', 'FB', 'USD'),
          own('mixed', 'META', 'USD'),
          line('mixed', ['2', 'deposit', '', '', '1', 'EUR']),
          own('stale', 'META', 'USD'),
          line('stale', ['2', 'buy', 'OLD', '1', '100', 'USD']),
          own('debt', 'META', 'USD'),
          line('debt', ['2', 'withdraw', '', '', '1', 'USD']),
        ],
        ['debt', 'mixed', 'price', 'stale'],
      ),
    );
    expect(
      found.portfolios.map(({ portfolio, weight, weight_reason }) => [portfolio, weight, weight_reason]),
    ).to.deep.equal([
      ['debt', null, 'no_value'], // Shares worth 20.00 and a debt of 20.01.
      ['mixed', null, 'currencies_mixed'],
      ['price', null, 'no_price'],
      ['stale', null, 'incomplete_value'],
    ]);
    const given = input([own('euro', 'META', 'USD')], ['euro']);
    const closes = [{ ...given.closes[0]!, currency: 'EUR' }];
    expect(holders({ ...given, closes }).portfolios[0]).to.include({
      value_minor: null,
      weight_reason: 'price_currency',
    });
  });

  it('names portfolios that cannot be derived, and derives the others', () => {
    const most = '8000000000000000';
    const found = holders(
      input(
        [
          line('a', ['1', 'sell', 'META', '1', '100', 'USD']),
          line('b', ['1', 'buy', 'META', '1', '100', 'USD']),
          line('b', ['2', 'deposit', '', '', most, 'USD']),
          line('b', ['3', 'deposit', '', '', most, 'USD']),
          line('c', ['1', 'buy', 'META', '1', '100', 'USD']),
        ],
        ['a', 'b', 'c'],
      ),
    );
    expect(found.inconsistent.map(({ portfolio, detail }) => [portfolio, detail])).to.deep.equal([
      [
        'a',
        'The positions of a cannot be derived. sale_exceeds_lots: on 2020-01-02, 1 META leave the portfolio, which holds 0.',
      ],
      ['b', 'An amount of the portfolio exceeds the range of a JSON integer, 2^53 - 1 minor units.'],
    ]);
    expect(found.portfolios.map(({ portfolio }) => portfolio)).to.deep.equal(['c']);
  });
});
