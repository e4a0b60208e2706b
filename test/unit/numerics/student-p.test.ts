import { expect } from 'chai';
import fc from 'fast-check';
import { normalP, studentP } from '#lib/numerics/student-p.ts';

describe('studentP', () => {
  // Computed with mpmath 1.3.0: `mp.dps = 50; betainc(n / 2, 1 / 2, 0, n / (n + t^2), regularized=True)`.
  it('equals mpmath to a relative error of 3e-13 for few and many degrees of freedom', () => {
    const cases: [number, number, number][] = [
      [0.1, 1, 0.93654896513889286],
      [2, 10, 0.073388034770740366],
      [1.96, 60, 0.054644929736529251],
      [5, 2, 0.037749551350623726],
      [30, 23, 6.0456676261973159e-20],
      [1e6, 1, 6.3661977236736914e-7],
      [12, 2000, 4.365702495217426e-32],
      [2.5, 2001, 0.012498812808693151],
      [2, 100000, 0.045502963457506463],
      [1e-8, 7, 0.99999999230017098],
    ];
    for (const [t, degrees, expected] of cases) {
      expect(studentP(t, degrees) / expected, `${t} ${degrees}`).to.be.closeTo(1, 3e-13);
    }
  });

  // With 2 degrees of freedom, the distribution has a closed form.
  it('is 1 - |t| / sqrt(2 + t^2) with 2 degrees of freedom', () => {
    fc.assert(
      fc.property(fc.double({ min: -50, max: 50, noNaN: true }), (t) => {
        expect(studentP(t, 2)).to.be.closeTo(1 - Math.abs(t) / Math.sqrt(2 + t * t), 1e-14);
      }),
    );
  });

  it('is within 0 and 1 and decreases if |t| increases', () => {
    const degrees = fc.integer({ min: 1, max: 5_000 });
    fc.assert(
      fc.property(fc.double({ noNaN: true }), degrees, (t, n) => {
        const p = studentP(t, n);
        expect(p).to.equal(studentP(-t, n));
        expect(p).to.be.within(0, 1);
        expect(studentP(t * 1.01, n)).to.be.at.most(p * (1 + 1e-12));
      }),
    );
  });

  it('approaches normalP with many degrees of freedom', () => {
    expect(studentP(1.5, 2_000_000_000) / normalP(1.5)).to.be.closeTo(1, 1e-8);
    for (const t of [0.01, 1, 4]) {
      const [before, at, behind] = [1_999, 2_000, 2_001].map((n) => studentP(t, n)) as [
        number,
        number,
        number,
      ];
      expect(before - at).to.be.closeTo(at - behind, 1e-7 * at);
    }
  });

  it('is 1 at 0, 0 at infinity and NaN for NaN', () => {
    expect([studentP(0, 3), studentP(-0, 3), studentP(-Infinity, 3)]).to.deep.equal([1, 1, 0]);
    expect(studentP(NaN, 3)).to.be.NaN;
    for (const degrees of [0, -1, 1.5, NaN, Infinity])
      expect(() => studentP(1, degrees)).to.throw(RangeError);
  });
});

describe('normalP', () => {
  // Computed with mpmath 1.3.0: `mp.dps = 40; 2 * ncdf(-abs(z))`.
  it('equals mpmath to a relative error of 1e-14', () => {
    for (const [z, expected] of [
      [1.96, 0.0499957902964408724],
      [-5, 5.73303143758387823e-7],
      [30, 9.81342785429637412e-198],
    ] as const) {
      expect(normalP(z) / expected, String(z)).to.be.closeTo(1, 1e-14);
    }
    expect(normalP(0)).to.equal(1);
  });
});
