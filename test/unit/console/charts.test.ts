import { expect } from 'chai';
import fc from 'fast-check';
import { fan } from '#api/console/charts/fan.ts';
import { heat, seriate } from '#api/console/charts/heat.ts';
import { histogram } from '#api/console/charts/histogram.ts';
import { lines, type LinesModel } from '#api/console/charts/lines.ts';
import { linear, linePath, number, percent, ticks } from '#api/console/charts/scale.ts';

const size = { width: 640, height: 300 };
const value = fc.double({ min: -1e9, max: 1e9, noNaN: true });

describe('charts of the console', () => {
  it('place a readable number of evenly spaced axis ticks within the range of the values', () => {
    fc.assert(
      fc.property(value, fc.double({ min: 1e-6, max: 1e9, noNaN: true }), (low, range) => {
        const high = low + range;
        fc.pre(high > low);
        const found = ticks(low, high, 6);
        expect(found.length).to.be.lessThan(14);
        const tolerance = range * 1e-6 + Math.abs(high) * 1e-11;
        for (const tick of found) expect(tick).to.be.within(low - tolerance, high + tolerance);
      }),
    );
    expect(ticks(0, 10, 5)).to.deep.equal([0, 2, 4, 6, 8, 10]);
    expect(ticks(5, 5, 5)).to.deep.equal([5]);
    expect(ticks(1e16, 1e16 + 2, 5)).to.deep.equal([1e16]);
    expect(ticks(-5e-324, 0, 5)).to.have.lengthOf(1);
    expect(ticks(2 ** 53 - 2, 2 ** 53 + 2, 5)).to.have.lengthOf(1);
    expect(ticks(-1e308, 1e308, 5)).to.have.lengthOf(1);
  });

  it('map values to pixels in proportion, even if all values are equal', () => {
    expect(linear([0, 10], [100, 200])(5)).to.equal(150);
    expect(linear([3, 3], [0, 50])(3)).to.equal(0);
    expect(linear([0, 5e-324], [10, 50])(5e-324)).to.equal(10);
    expect(linear([-1e308, 1e308], [10, 50])(1e308)).to.equal(10);
  });

  it('interrupt a line where a value is missing', () => {
    expect(linePath([0, 1, 2, 3], [1, null, 2, 3])).to.equal('M0 1M2 2L3 3');
  });

  it('write numbers with separators and a minus sign (U+2212), and never a negative zero', () => {
    expect(number(-1234.5, 1)).to.equal('−1,234.5');
    expect(number(-0.04, 1)).to.equal('0.0');
    expect(percent(0.1234)).to.equal('12.3 %');
  });

  it('draw a forecast whose columns list the history, the points and the intervals', () => {
    const { columns, markup } = fan(
      {
        history: [
          { period: '2024-Q3', value: 100 },
          { period: '2024-Q4', value: 110 },
        ],
        periods: ['2025-Q1'],
        points: [120],
        bands: [{ level: 80, lower: [115], upper: [125] }],
      },
      size,
    );
    expect(columns.map(({ label, figures }) => [label, ...figures.map(([, text]) => text)])).to.deep.equal([
      ['2024-Q3', '100.0'],
      ['2024-Q4', '110.0'],
      ['2025-Q1', '120.0', '115.0 to 125.0'],
    ]);
    expect(markup).to.include('class="band band-1"');
  });

  it('draw lines only with coordinates that are numbers', () => {
    const model = fc.record({
      labels: fc.constant(['2020-01', '2020-02', '2021-01']),
      lines: fc.array(
        fc.record({
          name: fc.string(),
          values: fc.array(fc.option(value), { minLength: 3, maxLength: 3 }),
          tone: fc.integer({ min: 0, max: 5 }),
        }),
        { minLength: 1, maxLength: 6 },
      ),
      scale: fc.constantFrom('linear' as const, 'log' as const),
    });
    fc.assert(
      fc.property(model, (each: LinesModel) => {
        const { markup, columns } = lines(each, size);
        expect(markup).to.not.match(/NaN|Infinity/);
        expect(columns).to.have.lengthOf(3);
        expect(markup.match(/<svg/g)).to.have.lengthOf(1);
      }),
    );
  });

  it('order all rows of a matrix so that the most similar rows are adjacent', () => {
    expect(
      seriate([
        [1, 0, 0.9],
        [0, 1, 0.1],
        [0.9, 0.1, 1],
      ]),
    ).to.deep.equal([0, 2, 1]);
    const matrix = fc.integer({ min: 1, max: 8 }).chain((n) =>
      fc.array(fc.array(fc.double({ min: -1, max: 1, noNaN: true }), { minLength: n, maxLength: n }), {
        minLength: n,
        maxLength: n,
      }),
    );
    fc.assert(
      fc.property(matrix, (rows) => {
        expect(seriate(rows).toSorted((one, other) => one - other)).to.deep.equal([...rows.keys()]);
      }),
    );
    expect(
      heat(
        ['a<b', 'c', 'd'],
        [
          [1, 0.5, 0],
          [0.5, 1, 0],
          [0, 0, 1],
        ],
      ),
    ).to.include('a&lt;b and c: 0.50');
  });

  it('count every value of a histogram once', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 2, maxLength: 200 }),
        (values) => {
          const counts = [...histogram(values, size, 'n').matchAll(/%: (\d+)<\/title>/g)].map(([, n]) =>
            Number(n),
          );
          expect(counts.reduce((sum, count) => sum + count, 0)).to.equal(values.length);
        },
      ),
    );
  });
});
