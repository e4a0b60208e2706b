import { expect } from 'chai';
import fc from 'fast-check';
import { evenStudent } from '#lib/numerics/distributions/even-student.ts';
import { studentTail } from '#lib/numerics/distributions/student-t.ts';

const degrees = fc.integer({ min: 1, max: 100 }).map((half) => 2 * half);

describe('the Student t distribution with even degrees of freedom', () => {
  it('has the distribution function that the incomplete beta function gives', () => {
    fc.assert(
      fc.property(degrees, fc.double({ min: -50, max: 50, noNaN: true }), (nu, t) => {
        const tail = studentTail(Math.abs(t), nu);
        expect(evenStudent(t, nu)).to.be.closeTo(t > 0 ? 1 - tail : tail, 1e-13);
      }),
    );
  });

  it('has the quantiles of published tables', () => {
    for (const [t, nu, p] of [
      [0, 6, 0.5],
      [4.302652729911275, 2, 0.975],
      [2.2281388519862735, 10, 0.975],
      [-2.7499956536, 30, 0.005],
    ] as const)
      expect(evenStudent(t, nu)).to.be.closeTo(p, 1e-11);
  });

  it('has a distribution function within 0 and 1 even in the far tail, and symmetric about one half', () => {
    for (const t of [1e8, 1e100, 1e200, Infinity])
      expect([evenStudent(t, 4), evenStudent(-t, 4)]).to.deep.equal([1, 0]);
    fc.assert(
      fc.property(degrees, fc.double({ noNaN: true }), (nu, t) => {
        expect(evenStudent(t, nu) + evenStudent(-t, nu)).to.be.closeTo(1, 1e-15);
        expect(evenStudent(t, nu)).to.be.within(0, 1);
      }),
    );
  });

  it('throws on degrees that are not even, and on NaN', () => {
    for (const nu of [0, 1, 3, 2.5, -2, 202, NaN]) expect(() => evenStudent(1, nu)).to.throw(RangeError);
    expect(() => evenStudent(NaN, 4)).to.throw(RangeError);
  });
});
