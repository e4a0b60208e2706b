import { expect } from 'chai';
import fc from 'fast-check';
import {
  type PriceObservation,
  countReturns,
  monthEndPrices,
  monthWindow,
} from '#lib/investment/theme-factors/month-end-prices.ts';

const window = monthWindow('2020-03-31', 2);

function prices(...observations: [string, string][]): (number | null)[] {
  const series = { symbol: 'X', observations: observations.map(([date, price]) => ({ date, price })) };
  return Array.from(monthEndPrices(series, window).prices, (price) => (Number.isNaN(price) ? null : price));
}

describe('monthWindow', () => {
  it('ends with the last complete month and starts one month before the first return', () => {
    expect(monthWindow('2020-10-28', 2).months).to.deep.equal(['2020-07', '2020-08', '2020-09']);
    expect(monthWindow('2020-09-30', 12).months).to.have.length(13);
    expect(Array.from(window.lastDays)).to.deep.equal([20200131, 20200229, 20200331]);
  });

  it('rejects an invalid date', () => {
    expect(() => monthWindow('2020-09-31', 12)).to.throw(RangeError);
  });
});

describe('monthEndPrices', () => {
  it('takes the last observation of each month', () => {
    expect(
      prices(['2020-01-30', '1'], ['2020-01-31', '2'], ['2020-02-28', '3'], ['2020-03-31', '4']),
    ).to.deep.equal([2, 3, 4]);
  });

  it('accepts an observation up to 7 days before the month end', () => {
    expect(prices(['2020-01-24', '1'], ['2020-02-22', '2'], ['2020-03-24', '3'])).to.deep.equal([1, 2, 3]);
    expect(prices(['2020-01-23', '1'], ['2020-02-21', '2'], ['2020-03-23', '3'])).to.deep.equal([
      null,
      null,
      null,
    ]);
  });

  it('returns NaN for a month without an observation', () => {
    expect(prices(['2020-01-31', '1'], ['2020-03-31', '3'])).to.deep.equal([1, null, 3]);
    expect(prices()).to.deep.equal([null, null, null]);
  });

  it('returns NaN for a month whose last price is not above 0', () => {
    expect(prices(['2020-01-30', '1.5'], ['2020-01-31', '0'])).to.deep.equal([1.5, null, null]);
    expect(prices(['2020-01-30', '1.5'], ['2020-01-31', '-2.00'])).to.deep.equal([1.5, null, null]);
    expect(prices(['2020-01-31', '0.0000'])).to.deep.equal([null, null, null]);
  });

  it('uses no price after the last complete month, even if the price is before the as-of date', () => {
    const midMonth = monthWindow('2020-04-29', 2);
    const observations = [
      { date: '2020-03-31', price: '1' },
      { date: '2020-04-29', price: 'not looked at' },
    ];
    expect(Array.from(monthEndPrices({ symbol: 'X', observations }, midMonth).chosen)).to.deep.equal([
      -1, -1, 0,
    ]);
  });

  it('throws on a selected price that is not a decimal number', () => {
    for (const price of ['', 'NaN', 'abc', '1,5', ' 1', '0x10', 'Infinity', '1e400']) {
      expect(() => prices(['2020-01-31', price]), price).to.throw(RangeError, 'not a decimal number');
    }
  });

  it('throws on an invalid date of any observation', () => {
    for (const date of ['2020-02-30', '2020-1-31', '', '1999-02-29', '20200131']) {
      expect(() => prices([date, '1'], ['2020-03-31', '1']), date).to.throw(RangeError, 'not a date');
    }
  });

  it('throws on two prices of the same day, inside or outside the window', () => {
    for (const date of ['2020-01-31', '2019-01-31', '2021-01-31']) {
      expect(() => prices([date, '1'], [date, '1']), date).to.throw(RangeError, 'two prices of X on one day');
      expect(() => prices([date, '1'], ['2020-02-14', '2'], [date, '1']), date).to.throw(
        RangeError,
        'two prices of X',
      );
    }
  });

  it('chooses the same observations for any order of prices', () => {
    const days = Array.from({ length: 60 }, (_, day): PriceObservation => {
      const month = day < 30 ? 1 : 3;
      return { date: `2020-0${month}-${String((day % 30) + 1).padStart(2, '0')}`, price: String(day + 1) };
    });
    const expected = monthEndPrices({ symbol: 'X', observations: days }, window);
    fc.assert(
      fc.property(fc.shuffledSubarray(days, { minLength: days.length }), (observations) => {
        const result = monthEndPrices({ symbol: 'X', observations }, window);
        expect(Array.from(result.prices)).to.deep.equal(Array.from(expected.prices));
        result.chosen.forEach((place, month) => {
          const chosen = place < 0 ? undefined : result.observations[place];
          expect(chosen).to.deep.equal(expected.observations[expected.chosen[month]!]);
        });
      }),
    );
  });
});

describe('countReturns', () => {
  it('counts months with a price whose previous month has a price too', () => {
    const gap = Number.NaN;
    expect(countReturns(Float64Array.of(1, 2, 3, gap, 4))).to.equal(2);
    expect(countReturns(Float64Array.of(1, gap, 3))).to.equal(0);
    expect(countReturns(Float64Array.of(1))).to.equal(0);
  });
});
