import { expect } from 'chai';
import fc from 'fast-check';
import { columnProducts } from '#lib/numerics/column-products.ts';
import { repetitions } from '../../support/repetitions.ts';

describe('columnProducts', () => {
  it('equals the sums of products over the rows in order, to the bit', () => {
    const tables = fc
      .record({ D: fc.integer({ min: 1, max: 9 }), count: fc.integer({ min: 0, max: 140 }) })
      .chain(({ D, count }) =>
        fc
          .array(fc.double({ min: -10, max: 10, noNaN: true }), {
            minLength: D * count,
            maxLength: D * count,
            size: 'max',
          })
          .map((values) => ({ D, count, values })),
      );
    fc.assert(
      fc.property(tables, ({ D, count, values }) => {
        const expected = new Float64Array(D * D);
        for (let row = 0; row < count; row += 1)
          for (let at = 0; at < D * D; at += 1)
            expected[at]! += values[row * D + Math.floor(at / D)]! * values[row * D + (at % D)]!;
        const put = (row: number, to: Float64Array, at: number) =>
          to.set(values.slice(row * D, (row + 1) * D), at);
        expect(columnProducts(count, D, put).to1DArray()).to.deep.equal([...expected]);
      }),
      { numRuns: repetitions.arrays },
    );
  });
});
