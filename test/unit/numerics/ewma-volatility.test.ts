import { expect } from 'chai';
import fc from 'fast-check';
import { ewmaVolatility } from '#lib/numerics/ewma-volatility.ts';

const value = fc.oneof(fc.double({ min: -1, max: 1, noNaN: true }), fc.constant(Number.NaN));

describe('ewmaVolatility', () => {
  it('equals its definition by powers of the decay', () => {
    fc.assert(
      fc.property(
        fc.array(value, { maxLength: 60 }),
        fc.double({ min: 0.5, max: 1, noNaN: true }),
        (past, decay) => {
          const values = [...past, 0.5];
          let squares = 0;
          let weights = 0;
          values.forEach((e, t) => {
            if (Number.isNaN(e)) return;
            squares += Math.pow(decay, values.length - 1 - t) * e * e;
            weights += Math.pow(decay, values.length - 1 - t);
          });
          expect(ewmaVolatility(values, decay)).to.be.closeTo(Math.sqrt(squares / weights), 1e-14);
        },
      ),
    );
  });

  it('applies the decay for missing values too', () => {
    expect(ewmaVolatility([3, Number.NaN, 0], 0.5)).to.equal(Math.sqrt((0.25 * 9) / 1.25));
    expect(ewmaVolatility([3, 0], 0.5)).to.equal(Math.sqrt((0.5 * 9) / 1.5));
  });

  it('is the root mean square of the values for a decay of 1', () => {
    expect(ewmaVolatility([3, -3, 3], 1)).to.equal(3);
    expect(() => ewmaVolatility([Number.NaN], 0.9)).to.throw(RangeError);
    expect(() => ewmaVolatility([], 0.9)).to.throw(RangeError);
  });
});
