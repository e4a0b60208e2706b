import { expect } from 'chai';
import fc from 'fast-check';
import { spearman } from '#lib/numerics/correlation.ts';
import { completePairs } from '#lib/research/cross-section.ts';
import { featureCorrelations } from '#lib/research/feature-correlations.ts';

const cell = fc.oneof(
  fc.constant(NaN),
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);
const matrix = fc
  .tuple(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 1, max: 4 }))
  .chain(([rows, columns]) =>
    fc.array(fc.array(cell, { minLength: rows, maxLength: rows }), {
      minLength: columns,
      maxLength: columns,
    }),
  );

describe('featureCorrelations', () => {
  it('returns the rank correlation of the entities that have both features, to the bit', () => {
    const steps = { progress: () => {}, cancelled: () => false };
    fc.assert(
      fc.property(matrix, fc.integer({ min: 3, max: 6 }), (given, minimum) => {
        const features = given.map((values) => Float64Array.from(values));
        const found = featureCorrelations([{ features }], minimum, steps);
        for (const [at, one] of features.entries()) {
          for (const [place, other] of features.entries()) {
            const { x, y } = completePairs(one, other);
            expect(found[at]![place]).to.equal(x.length < minimum ? null : spearman(x, y));
          }
        }
      }),
    );
  });

  it('returns the mean over the dates that have a correlation, and reports progress', () => {
    const reported: number[] = [];
    const [up, flat] = [Float64Array.of(1, 2, 3), Float64Array.of(1, 1, 1)];
    const dates = [{ features: [up, up] }, { features: [up, flat] }, { features: [up, up.toReversed()] }];
    const found = featureCorrelations(dates, 3, {
      progress: (fraction) => reported.push(fraction),
      cancelled: () => false,
    });
    expect(found).to.deep.equal([
      [1, 0],
      [0, 1],
    ]);
    expect(reported).to.deep.equal([0, 1 / 3]);
    const cancelled = () => featureCorrelations(dates, 3, { progress: () => {}, cancelled: () => true });
    expect(cancelled).to.throw('cancelled');
  });
});
