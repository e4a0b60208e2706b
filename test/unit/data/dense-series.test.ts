import { expect } from 'chai';
import { denseSeries } from '#lib/data/dense-series.ts';

const texts = [
  { symbol: 'A', observations: '2020-01-02 1,2020-01-03 2,2020-02-03 3' },
  { symbol: 'B', observations: '2020-01-03 5,2020-01-31 6,2020-02-28 7' },
];
const both = new Set(['A', 'B']);
const valuesOf = (found: ReturnType<typeof denseSeries>) =>
  ['A', 'B'].map((symbol) => [...found.valuesOf.get(symbol)!]);

describe('series with common rows', () => {
  it('have a row for each date on which any symbol has a value, and NaN if a symbol has no value on that date', () => {
    const found = denseSeries(texts, { rows: 3, calendar: both, by: 'day' });
    expect(found.dates).to.deep.equal(['2020-01-31', '2020-02-03', '2020-02-28']);
    expect(valuesOf(found)).to.deep.equal([
      [NaN, 3, NaN],
      [6, NaN, 7],
    ]);
  });

  it('have a row for each month with the last value of each symbol, dated by the latest date of any symbol', () => {
    const found = denseSeries(texts, { rows: 9, calendar: both, by: 'month' });
    expect(found.dates).to.deep.equal(['2020-01-31', '2020-02-28']);
    expect(valuesOf(found)).to.deep.equal([
      [2, 3],
      [6, 7],
    ]);
  });

  it('have rows only for the dates of the symbols that form the calendar', () => {
    const found = denseSeries(texts, { rows: 9, calendar: new Set(['A']), by: 'day' });
    expect(found.dates).to.deep.equal(['2020-01-02', '2020-01-03', '2020-02-03']);
    expect(valuesOf(found)[1]).to.deep.equal([NaN, 5, NaN]);
    const none = denseSeries([], { rows: 9, calendar: both, by: 'day' });
    expect([none.dates, none.valuesOf.size]).to.deep.equal([[], 0]);
  });
});
