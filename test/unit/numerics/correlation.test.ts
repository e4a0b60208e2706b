import { expect } from 'chai';
import fc from 'fast-check';
import { correlationMatrix, pearson, spearman } from '#lib/numerics/correlation.ts';
import { correlationT, meanTest } from '#lib/numerics/mean-test.ts';
import { quantileGroups } from '#lib/numerics/quantile-groups.ts';
import { averageRanks } from '#lib/numerics/average-ranks.ts';

const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true, noDefaultInfinity: true }));
const values = fc.array(value, { minLength: 1, maxLength: 40 });

describe('averageRanks', () => {
  it('gives each value the number of smaller values, plus half of (the number of equal values plus 1)', () => {
    fc.assert(
      fc.property(values, (given) => {
        const naive = given.map(
          (one) =>
            given.filter((other) => other < one).length +
            (given.filter((other) => other === one).length + 1) / 2,
        );
        expect([...averageRanks(given)]).to.deep.equal(naive);
      }),
    );
  });

  it('accepts an empty list and a single value, and gives NaN the rank NaN', () => {
    expect([...averageRanks([])]).to.deep.equal([]);
    expect([...averageRanks([7])]).to.deep.equal([1]);
    expect([...averageRanks([0, -0])]).to.deep.equal([1.5, 1.5]);
    expect([...averageRanks([1, NaN, 0])]).to.deep.equal([2, NaN, 1]);
  });
});

describe('pearson and spearman', () => {
  it('are null for a single pair or if one series does not vary', () => {
    for (const correlate of [pearson, spearman]) {
      expect(correlate([], [])).to.equal(null);
      expect(correlate([1], [2])).to.equal(null);
      expect(correlate([0.1, 0.1, 0.1], [1, 2, 3])).to.equal(null);
      expect(correlate([1, 2, 3], [5, 5, 5])).to.equal(null);
      expect(() => correlate([1, 2], [1])).to.throw(RangeError);
      expect(() => correlate([1, NaN], [1, 2])).to.throw(RangeError);
    }
    expect(() => pearson([1, Infinity], [1, 2])).to.throw(RangeError);
  });

  it('give a rank correlation of exactly 0 for balanced data', () => {
    expect(spearman([1, 2, 3, 4], [2, 1, 1, 2])).to.equal(0);
    expect(spearman([1, 2, 3, 4, 5, 6], [2, 1, 1, 1, 1, 2])).to.equal(0);
  });

  it('are within -1 and 1, symmetric, and 1 up to rounding for a series with itself', () => {
    const pairs = fc.array(fc.tuple(value, value), { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(pairs, (given) => {
        const [x, y] = [given.map(([one]) => one), given.map(([, other]) => other)];
        for (const correlate of [pearson, spearman]) {
          const found = correlate(x, y);
          if (found === null) continue;
          expect(found).to.be.within(-1, 1);
          expect(correlate(y, x)).to.equal(found);
          expect(correlate(x, x)).to.be.closeTo(1, 1e-12);
        }
      }),
    );
  });

  it('give the same Pearson correlation, to the bit, for a matrix of columns as for each pair', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value, value), { minLength: 2, maxLength: 30 }), (rows) => {
        const columns = [0, 1, 2].map((place) => rows.map((row) => row[place]!));
        const varies = columns.map((column) => pearson(column, column) !== null);
        expect(correlationMatrix(columns)).to.deep.equal(
          columns.map((one, a) =>
            columns.map((other, b) => (a === b ? (varies[a] ? 1 : null) : pearson(one, other))),
          ),
        );
      }),
    );
    expect(correlationMatrix([])).to.deep.equal([]);
    expect(correlationMatrix([[1], [2]])).to.deep.equal([
      [null, null],
      [null, null],
    ]);
    expect(() => correlationMatrix([[1, 2], [1]])).to.throw(RangeError);
    expect(() => correlationMatrix([[1, NaN]])).to.throw(RangeError);
  });

  it('differ in that spearman depends only on the order of the values', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.integer(), fc.integer()), { minLength: 2, maxLength: 30 }),
        (given) => {
          const [x, y] = [given.map(([one]) => one), given.map(([, other]) => other)];
          const stretched = x.map((each) => each * each * each);
          expect(spearman(stretched, y)).to.equal(spearman(x, y));
        },
      ),
    );
  });
});

describe('quantileGroups', () => {
  it('puts equal values into the same group, and distinct values into groups of nearly equal size', () => {
    fc.assert(
      fc.property(values, fc.integer({ min: 2, max: 10 }), (given, count) => {
        const groups = quantileGroups(given, count);
        for (const [at, one] of given.entries()) {
          expect(groups[at]).to.be.within(0, count - 1);
          for (const [place, other] of given.entries()) {
            if (one === other) expect(groups[at]).to.equal(groups[place]);
            if (one < other) expect(groups[at]).to.be.at.most(groups[place]!);
          }
        }
      }),
    );
    const sizes = Map.groupBy(quantileGroups([...Array(23).keys()], 5), (group) => group);
    expect([...sizes.values()].map(({ length }) => length)).to.deep.equal([5, 4, 5, 4, 5]);
  });

  it('puts all values into the middle group if they are equal', () => {
    expect([...quantileGroups([4, 4, 4], 5)]).to.deep.equal([2, 2, 2]);
    expect(() => quantileGroups([1], 1)).to.throw(RangeError);
    expect(() => quantileGroups([1, NaN], 2)).to.throw(RangeError);
  });
});

describe('meanTest', () => {
  it('equals values computed by hand, and has t of null if the standard error is 0 or undefined', () => {
    const found = meanTest([1, 2, 3, 4], 1);
    expect(found).to.deep.equal({
      count: 4,
      mean: 2.5,
      deviation: 1.2909944487358056,
      t: 3.872983346207417,
      lags: 1,
      neweyWestT: 4,
    });
    expect(meanTest([], 3)).to.deep.include({ count: 0, mean: null, t: null, lags: 0 });
    expect(meanTest([5], 3)).to.deep.include({ mean: 5, deviation: null, t: null, neweyWestT: null });
    expect(meanTest([0.1, 0.1, 0.1], 3)).to.deep.include({
      mean: 0.1,
      deviation: 0,
      t: null,
      neweyWestT: null,
    });
  });

  it('has the counterpart correlationT, which is null for a correlation of 1 and for fewer than 3 pairs', () => {
    expect(correlationT(0.5, 14)).to.equal(2);
    expect(correlationT(1, 14)).to.equal(null);
    expect(correlationT(0.5, 2)).to.equal(null);
  });
});
