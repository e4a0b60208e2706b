import { expect } from 'chai';
import fc from 'fast-check';
import { incompleteBeta } from '#lib/numerics/distributions/incomplete-beta.ts';
import { chiSquareTail, upperGamma } from '#lib/numerics/distributions/incomplete-gamma.ts';
import { logChoose, logGamma } from '#lib/numerics/distributions/log-gamma.ts';
import { studentQuantile } from '#lib/numerics/distributions/student-quantile.ts';
import { fisherTail, studentTail, studentTwoSided } from '#lib/numerics/distributions/student-t.ts';

function expectNear(actual: number, expected: number, relative = 1e-13): void {
  expect(Math.abs(actual - expected)).to.be.at.most(
    relative * Math.abs(expected),
    `${actual} for ${expected}`,
  );
}

// The expected values are computed with scipy 1.17.1 (`special`, `stats`).
describe('tail probabilities', () => {
  it('use a logarithm of the gamma function that equals scipy', () => {
    for (const [x, expected] of [
      [5, 3.1780538303479458],
      [0.5, 0.5723649429247001],
      [1e-5, 11.512919692895826],
      [171.25, 707.8579296227101],
      [1e6, 12815504.569147611],
    ] as const)
      expectNear(logGamma(x), expected);
    expect(logGamma(0)).to.be.NaN;
    expectNear(logChoose(60, 30), 39.31170072601131);
  });

  it('equal scipy in the far tail too', () => {
    expectNear(chiSquareTail(3.841458820694124, 1), 0.05);
    expectNear(chiSquareTail(500, 9), 5.7494139030446954e-102, 1e-11);
    expectNear(studentTwoSided(2.2281388519862735, 10), 0.05);
    expectNear(studentTail(40, 7.5), 2.559528381854894e-10, 1e-11);
    expectNear(fisherTail(4.964602743730711, 1, 10), 0.05, 1e-12);
    expect([studentTail(Infinity, 3), chiSquareTail(Infinity, 3), fisherTail(0, 2, 2)]).to.deep.equal([
      0, 0, 1,
    ]);
  });

  it('are 1 for a chi-square of 0, and throw on undefined arguments', () => {
    expect([chiSquareTail(0, 4), upperGamma(2, 0), incompleteBeta(2, 3, 1)]).to.deep.equal([1, 1, 1]);
    for (const call of [() => upperGamma(0, 1), () => incompleteBeta(1, 1, 2), () => studentQuantile(0, 3)])
      expect(call).to.throw(RangeError);
  });

  it('of Student t above t and above -t sum to 1', () => {
    fc.assert(
      fc.property(
        fc.double({ min: -30, max: 30, noNaN: true }),
        fc.double({ min: 0.5, max: 300, noNaN: true }),
        (t, degrees) => {
          expect(studentTail(t, degrees) + studentTail(-t, degrees)).to.be.closeTo(1, 1e-12);
        },
      ),
    );
  });

  it('of Student t are inverted by the quantile', () => {
    for (const degrees of [1, 2.5, 10, 1000])
      for (const tail of [1e-8, 0.025, 0.5, 0.9]) {
        const t = studentQuantile(tail, degrees);
        expect(studentTail(t, degrees)).to.be.closeTo(tail, 1e-12 + 1e-10 * tail);
      }
    expectNear(studentQuantile(0.025, 10), 2.2281388519862735, 1e-12);
  });
});
