import { expect } from 'chai';
import fc from 'fast-check';
import { averageRanks } from '#lib/numerics/average-ranks.ts';

const value = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.constantFrom(Number.NaN, Infinity, -Infinity, -0, 0),
);

describe('averageRanks', () => {
  it('equals the ranks of pandas for equal and missing values', () => {
    expect([...averageRanks([3, 1, 4, 1, 5, 9, 2, 6, 5, Number.NaN])]).to.deep.equal([
      4,
      1.5,
      5,
      1.5,
      6.5,
      9,
      3,
      8,
      6.5,
      NaN,
    ]);
    expect([...averageRanks([])]).to.deep.equal([]);
    expect([...averageRanks([7])]).to.deep.equal([1]);
    expect([...averageRanks([0, -0])]).to.deep.equal([1.5, 1.5]);
  });

  it('equals the number of smaller values, plus one, plus half the number of other equal values', () => {
    fc.assert(
      fc.property(fc.array(value), (values) => {
        const expected = values.map((own) => {
          if (Number.isNaN(own)) return Number.NaN;
          const smaller = values.filter((each) => each < own).length;
          const equal = values.filter((each) => each === own).length;
          return smaller + (equal + 1) / 2;
        });
        expect([...averageRanks(values)]).to.deep.equal(expected);
      }),
    );
  });
});
