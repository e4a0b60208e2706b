import { expect } from 'chai';
import fc from 'fast-check';
import { sortDoubles } from '#lib/numerics/sort-doubles.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';
import { repetitions } from '../../support/repetitions.ts';

/** Returns the bits of the values. The bits of -0 and 0 differ. */
const bitsOf = (values: Float64Array) => new BigUint64Array(values.buffer, values.byteOffset, values.length);
const expectSorted = (values: Float64Array) => {
  const before = values.slice();
  expect(bitsOf(sortDoubles(values))).to.deep.equal(bitsOf(values.slice().sort()));
  expect(bitsOf(values)).to.deep.equal(bitsOf(before));
};
const normals = new Float64Array(20_000);
fillNormals(normals, { seed: 3, firstSample: 0, dimensions: 1 });

describe('sortDoubles', () => {
  it('equals the built-in sort to the bit and does not change its input', () => {
    expectSorted(normals);
    expectSorted(normals.map((value) => Math.round(value * 4)));
    expectSorted(normals.map((value) => value * value * value * 1e6));
    expectSorted(normals.subarray(5, 5_005));
    for (const few of [[], [1], [2, 1], [3, 3, 3]]) expectSorted(Float64Array.from(few));
  });

  it('equals the built-in sort for extreme, equal and non-finite values, and zeros of both signs', () => {
    for (const odd of [Infinity, -Infinity, NaN, -0, 0, 1e308, -1e308, Number.MIN_VALUE]) {
      const values = normals.slice();
      for (let at = 0; at < values.length; at += 7_001) values[at] = odd;
      expectSorted(values);
      expectSorted(new Float64Array(5_000).fill(odd));
    }
    expectSorted(
      Float64Array.from(normals, (value, at) => (at % 2 ? 1e308 : -1e308) * Math.min(1, value * value)),
    );
  });

  it('equals the built-in sort for any doubles', () => {
    fc.assert(
      fc.property(fc.float64Array({ minLength: 2_048, maxLength: 3_000 }), (values) => expectSorted(values)),
      { numRuns: repetitions.largeArrays },
    );
  });
});
