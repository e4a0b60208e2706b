import { expect } from 'chai';
import fc from 'fast-check';
import { quantile } from '#lib/numerics/quantile.ts';
import { weightedQuantile, weightedValues } from '#lib/numerics/weighted-quantile.ts';

const value = fc.double({ min: -10, max: 10, noNaN: true });
const weight = fc.double({ min: 0, max: 1, noNaN: true });
const p = fc.double({ min: 0, max: 1, noNaN: true });
const weighted = fc
  .array(fc.tuple(value, weight), { minLength: 1, maxLength: 40 })
  .filter((pairs) => pairs.some(([, each]) => each > 1e-6));
const of = (pairs: readonly (readonly [number, number])[]) =>
  weightedValues(
    pairs.map(([each]) => each),
    pairs.map(([, each]) => each),
  );

describe('the weighted quantile', () => {
  it('equals the quantile of type 7 if all weights are equal, for any size of the weights', () => {
    fc.assert(
      fc.property(
        fc.array(value, { minLength: 1, maxLength: 60 }),
        p,
        fc.constantFrom(1, 0.1, 3),
        (values, at, each) => {
          const equal = weightedValues(
            values,
            values.map(() => each),
          );
          expect(weightedQuantile(equal, at)).to.be.closeTo(quantile(values, at), 1e-11);
        },
      ),
    );
    expect(
      weightedQuantile(
        of([
          [1, 1],
          [2, 1],
          [3, 1],
          [4, 1],
        ]),
        0.25,
      ),
    ).to.be.closeTo(1.75, 1e-15);
  });

  it('does not decrease with the probability, and is between the smallest and the largest value', () => {
    fc.assert(
      fc.property(weighted, p, p, (pairs, one, other) => {
        const law = of(pairs);
        const [low, high] = [Math.min(one, other), Math.max(one, other)].map((at) =>
          weightedQuantile(law, at),
        );
        expect(low).to.be.at.most(high! + 1e-12);
        expect(low).to.be.at.least(law.ascending[0]!);
        expect(high).to.be.at.most(law.ascending.at(-1)!);
      }),
    );
  });

  it('does not depend on the order of the values or on values with a weight of 0', () => {
    fc.assert(
      fc.property(weighted, p, (pairs, at) => {
        const distinct = pairs.filter(
          ([each], place) => pairs.findIndex(([known]) => known === each) === place,
        );
        fc.pre(distinct.some(([, each]) => each > 0));
        const found = weightedQuantile(of(distinct), at);
        expect(weightedQuantile(of([[-99, 0], ...distinct, [99, 0]]), at)).to.equal(found);
        expect(weightedQuantile(of(distinct.toReversed()), at)).to.equal(found);
      }),
    );
  });

  // A month with a very small weight in a regime must not determine the tail of the regime.
  it('changes little if an extreme value with a very small weight is added', () => {
    const months = Array.from({ length: 100 }, (_, at) => [at / 100, 1] as const);
    const law = of([[-1_000, 1e-9], ...months]);
    expect(weightedQuantile(law, 0)).to.be.closeTo(0, 1e-5);
    expect(weightedQuantile(law, 0.0005)).to.be.closeTo(0.000495, 1e-5);
  });

  it('of a single value is this value, and throws on invalid values, weights and probabilities', () => {
    const one = of([[0.1, 0.3]]);
    for (const at of [0, 0.3, 1]) expect(weightedQuantile(one, at)).to.equal(0.1);
    const constant = of(Array.from({ length: 9 }, (_, at) => [0.1, at / 7] as const));
    for (const at of [0, 0.3, 1]) expect(weightedQuantile(constant, at)).to.equal(0.1);
    for (const pairs of [
      [],
      [[1, 0]],
      [[1, -1]],
      [[NaN, 1]],
      [[Infinity, 1]],
      [[1, NaN]],
      [[1, Infinity]],
    ] as const)
      expect(() => of(pairs as readonly (readonly [number, number])[])).to.throw(RangeError);
    expect(() => weightedValues([1, 2], [1])).to.throw(RangeError);
    for (const at of [-0.1, 1.1, NaN]) expect(() => weightedQuantile(one, at)).to.throw(RangeError);
  });
});
