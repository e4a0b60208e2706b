import { expect } from 'chai';
import { instrumentNumber } from '#lib/investment/portfolio-scenarios/instrument-number.ts';
import {
  completeMonths,
  monthlyLogReturns,
} from '#lib/investment/portfolio-scenarios/monthly-log-returns.ts';

describe('monthly log returns', () => {
  it('are NaN unless the month and the month before have a price', () => {
    const text = '2020-01-31 100,2020-02-29 110,2020-04-30 121';
    const months = ['2020-01', '2020-02', '2020-03', '2020-04'];
    const found = [...monthlyLogReturns(text, months)!];
    expect(found[1]).to.be.closeTo(Math.log(1.1), 1e-15);
    expect(found.map(Number.isNaN)).to.deep.equal([true, false, true, true]);
    expect(monthlyLogReturns('2019-01-31 1', months)).to.equal(null);
  });
});

describe('the complete months of a table of returns', () => {
  const days = ['2020-01-31', '2020-02-29', '2020-03-31'];

  it('are the last months that follow each other without a gap', () => {
    const values = Float64Array.of(1, 2, 3, 4, 5, 6);
    expect(completeMonths(days, values, 2)).to.deep.equal({
      months: ['2020-01', '2020-02', '2020-03'],
      returns: [Float64Array.of(1, 3, 5), Float64Array.of(2, 4, 6)],
    });
    const gap = ['2019-12-31', '2020-02-29', '2020-03-31'];
    expect(completeMonths(gap, values, 2).months).to.deep.equal(['2020-02', '2020-03']);
  });

  it('begin after the last month with a missing value, and are empty for a table without rows', () => {
    const values = Float64Array.of(1, 2, NaN, 4, 5, 6);
    expect(completeMonths(days, values, 2)).to.deep.equal({
      months: ['2020-03'],
      returns: [Float64Array.of(5), Float64Array.of(6)],
    });
    expect(completeMonths([], new Float64Array(0), 2)).to.deep.equal({
      months: [],
      returns: [new Float64Array(0), new Float64Array(0)],
    });
  });
});

describe('the number of an instrument', () => {
  it('depends only on the uid of the instrument and is below 2^26', () => {
    const numbers = Array.from({ length: 1_000 }, (_, at) => instrumentNumber(`ins_${at}`));
    expect(Math.max(...numbers))
      .to.be.lessThan(2 ** 26)
      .and.greaterThan(2 ** 25);
    expect(new Set(numbers).size).to.be.greaterThan(995);
    expect(instrumentNumber('ins_1')).to.equal(numbers[1]);
  });
});
