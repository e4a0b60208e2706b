import { expect } from 'chai';
import fc from 'fast-check';
import { adjustedP } from '#lib/numerics/multiple-testing.ts';
import { andersonDarling } from '#lib/numerics/two-sample/anderson-darling.ts';
import { chiSquareTest } from '#lib/numerics/two-sample/chi-square-test.ts';
import { binCounts, decileEdges } from '#lib/numerics/two-sample/decile-bins.ts';
import { distances } from '#lib/numerics/two-sample/distance.ts';
import { fisherExact } from '#lib/numerics/two-sample/fisher-exact.ts';
import { jensenShannon } from '#lib/numerics/two-sample/jensen-shannon.ts';
import { exactKolmogorovSmirnovP, kolmogorovTail } from '#lib/numerics/two-sample/kolmogorov-smirnov.ts';
import { meanDiscrepancy } from '#lib/numerics/two-sample/maximum-mean-discrepancy.ts';
import { populationStability } from '#lib/numerics/two-sample/population-stability.ts';
import { welch } from '#lib/numerics/two-sample/welch.ts';

const sample = (minLength: number) =>
  fc
    .array(fc.integer({ min: -20, max: 20 }), { minLength, maxLength: 30 })
    .map((values) => Float64Array.from(values).sort());

/**
 * Considers every order of the values of two samples. Returns the share of the orders in which the largest distance
 * between the two distribution functions is at least `steps`.
 */
function naiveP(steps: number, n: number, m: number): number {
  const walk = (i: number, j: number, isOut: boolean): [number, number] => {
    const out = isOut || Math.abs(i * m - j * n) >= steps;
    if (i === n && j === m) return [out ? 1 : 0, 1];
    const [a, b] = i < n ? walk(i + 1, j, out) : [0, 0];
    const [c, d] = j < m ? walk(i, j + 1, out) : [0, 0];
    return [a + c, b + d];
  };
  const [out, all] = walk(0, 0, false);
  return out / all;
}

describe('the tests of two samples', () => {
  it('give the exact Kolmogorov-Smirnov p-value, as an enumeration of all orders of the values does', () => {
    for (const [n, m] of [
      [1, 1],
      [2, 3],
      [5, 5],
      [4, 7],
    ] as const)
      for (let steps = 0; steps <= n * m; steps += 1)
        expect(exactKolmogorovSmirnovP(steps, n, m), `${steps} of ${n}, ${m}`).to.be.closeTo(
          naiveP(steps, n, m),
          1e-12,
        );
  });

  it('use a limit distribution that is continuous where the two forms of its series meet', () => {
    expect(kolmogorovTail(1 - 1e-9)).to.be.closeTo(kolmogorovTail(1), 1e-8);
    expect([kolmogorovTail(0), kolmogorovTail(50)]).to.deep.equal([1, 0]);
  });

  it('give the same distances if the samples are exchanged, and 0 for equal samples', () => {
    fc.assert(
      fc.property(sample(1), sample(1), (one, other) => {
        const there = distances(one, other);
        expect(distances(other, one)).to.deep.equal(there);
        expect(distances(one, one)).to.deep.equal({
          steps: 0,
          kolmogorovSmirnov: 0,
          wasserstein: 0,
          energy: 0,
        });
        expect(there.kolmogorovSmirnov).to.be.within(0, 1);
      }),
    );
  });

  it('give a Wasserstein distance equal to the amount that is added to one sample', () => {
    fc.assert(
      fc.property(sample(1), fc.integer({ min: 1, max: 100 }), (values, shift) => {
        expect(
          distances(
            values,
            values.map((each) => each + shift),
          ).wasserstein,
        ).to.be.closeTo(shift, 1e-9);
      }),
    );
  });

  it('give the same dimensionless measures if both samples are scaled by a power of two', () => {
    fc.assert(
      fc.property(sample(1), sample(1), fc.constantFrom(2, 0.5, 1024), (one, other, factor) => {
        const edges = decileEdges(one);
        expect(binCounts(other, edges).reduce((total, each) => total + each, 0)).to.equal(other.length);
        const [wide, wideOther] = [one, other].map((values) => values.map((each) => each * factor));
        const measures = (a: Float64Array, b: Float64Array) => {
          const of = decileEdges(a);
          const counts = [binCounts(a, of), binCounts(b, of)] as const;
          return [
            populationStability(...counts),
            jensenShannon(...counts),
            andersonDarling(a, b),
            distances(a, b).steps,
          ];
        };
        expect(measures(wide!, wideOther!)).to.deep.equal(measures(one, other));
      }),
    );
  });

  it('give null for constant samples, and throw on empty samples and impossible counts', () => {
    const constant = Float64Array.of(5, 5, 5, 5);
    expect([
      andersonDarling(constant, constant),
      welch(constant, constant),
      chiSquareTest([4, 0], [4, 0]).p,
    ]).to.deep.equal([null, null, 1]);
    expect(meanDiscrepancy(Float64Array.of(5, 5, 5, 5), 1, 2)).to.deep.include({
      unbiased: 0,
      medianSquared: 0,
    });
    const nothing = new Float64Array(0);
    for (const call of [
      () => distances(nothing, constant),
      () => populationStability([0], [1]),
      () => jensenShannon([1], [0]),
      () => meanDiscrepancy(Float64Array.of(1, 2, 3), 1, 1),
      () => fisherExact({ a: 3, n: 2, b: 0, m: 1 }),
    ])
      expect(call).to.throw(RangeError);
  });

  it('give the exact Fisher p-value, even if rounding makes equally likely tables differ', () => {
    expect(fisherExact({ a: 3, n: 4, b: 1, m: 4 })).to.be.closeTo(34 / 70, 1e-14);
    expect(fisherExact({ a: 0, n: 10, b: 0, m: 7 })).to.be.closeTo(1, 1e-14);
    expect(fisherExact({ a: 50, n: 100, b: 50, m: 100 })).to.be.closeTo(1, 1e-12);
  });
});

describe('adjusted p-values', () => {
  const p = [0.01, 0.04, 0.03, Number.NaN, 0.005];

  it('equal values computed by hand for each correction, in the order of the tests', () => {
    expect([...adjustedP(p, 'bonferroni')]).to.deep.equal([0.04, 0.16, 0.12, Number.NaN, 0.02]);
    expect([...adjustedP(p, 'holm')]).to.deep.equal([0.03, 0.06, 0.06, Number.NaN, 0.02]);
    expect([...adjustedP(p, 'benjamini_hochberg')]).to.deep.equal([0.02, 0.04, 0.04, Number.NaN, 0.02]);
  });

  it('are at least the original p-values, and ascend from Benjamini-Hochberg to Holm to Bonferroni', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 }),
        (ps) => {
          const [hochberg, holm, bonferroni] = (['benjamini_hochberg', 'holm', 'bonferroni'] as const).map(
            (each) => adjustedP(ps, each),
          );
          for (const [at, each] of ps.entries()) {
            expect(hochberg![at]).to.be.at.least(each * (1 - 1e-12));
            expect(holm![at]).to.be.at.least(hochberg![at]! * (1 - 1e-12));
            expect(bonferroni![at]).to.be.at.least(holm![at]! * (1 - 1e-12));
          }
        },
      ),
    );
  });
});
