import { expect } from 'chai';
import { curveReturns } from '#lib/quant/backtests/curve-returns.ts';
import { periodReturns } from '#lib/quant/backtests/period-returns.ts';

describe('curveReturns', () => {
  it('returns one return fewer than there are values, and 0 after the value has reached 0', () => {
    expect([...curveReturns(Float64Array.of(100, 110, 0, 0, 50))]).to.deep.equal([110 / 100 - 1, -1, 0, 0]);
  });

  it('returns nothing for one value or none', () => {
    expect(curveReturns(Float64Array.of(100))).to.have.length(0);
    expect(curveReturns(new Float64Array(0))).to.have.length(0);
  });
});

describe('periodReturns', () => {
  const dates = ['2019-11-29', '2019-12-30', '2019-12-31', '2020-01-02'];
  const returns = [0.1, 0.5, -0.5, 0.25];

  it('compounds the returns of each month and begins again with the next', () => {
    const months = periodReturns(dates, returns, 7);
    expect(months.map(({ period }) => period)).to.deep.equal(['2019-11', '2019-12', '2020-01']);
    expect(months[1]!.return).to.equal(1.5 * 0.5 - 1);
    expect(months[2]!.return).to.equal(0.25);
  });

  it('gives yearly returns that compound to the same growth as the monthly returns', () => {
    const growth = (length: 4 | 7) =>
      periodReturns(dates, returns, length).reduce((level, each) => level * (1 + each.return), 1);
    expect(growth(4)).to.be.closeTo(growth(7), 1e-15);
    expect(periodReturns(dates, returns, 4).map(({ period }) => period)).to.deep.equal(['2019', '2020']);
  });
});
