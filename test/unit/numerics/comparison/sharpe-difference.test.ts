import { expect } from 'chai';
import { parzenVariance } from '#lib/numerics/comparison/parzen-variance.ts';
import { sharpeDifference } from '#lib/numerics/comparison/sharpe-difference.ts';
import { fillNormals } from '#lib/numerics/normal-stream.ts';

const RESAMPLES = 499;

describe('the test of the difference of two Sharpe ratios', () => {
  it('rejects equal ratios in about 5 of 100 cases at the level 0.05, even for autocorrelated returns', () => {
    const rejected = Array.from({ length: 120 }, (_, seed) => {
      const [one, other] = pair({ seed, n: 250, means: [0.1, 0.1], memory: 0.3 });
      return testOf(one, other, { seed }).p <= 0.05;
    }).filter(Boolean).length;
    expect(rejected).to.be.within(1, 15);
  });

  it('finds a difference of 0.4 per period in most cases', () => {
    const found = Array.from({ length: 30 }, (_, seed) => {
      const [one, other] = pair({ seed, n: 250, means: [0.5, 0], memory: 0 });
      return testOf(one, other, { seed }).p <= 0.05;
    }).filter(Boolean).length;
    expect(found).to.be.at.least(28);
  });

  it('changes the sign of the difference, and p to 1 - p, if the series are exchanged', () => {
    const [one, other] = pair({ seed: 3, n: 120, means: [0.2, 0.1], memory: 0.1 });
    const there = testOf(one, other, { seed: 4 });
    const back = testOf(other, one, { seed: 4 });
    expect(there.difference + back.difference).to.equal(0);
    expect(there.standardError).to.be.closeTo(back.standardError, 1e-15);
    expect(there.p + back.p).to.be.closeTo(1, 3 / RESAMPLES);
  });

  it('depends on the seed, but not on the scale of a series', () => {
    const [one, other] = pair({ seed: 5, n: 100, means: [0.2, 0.1], memory: 0 });
    const found = testOf(one, other, { seed: 1 });
    expect(testOf(one, other, { seed: 1 })).to.deep.equal(found);
    expect(testOf(one, other, { seed: 2 }).p).not.to.equal(found.p);
    expect(
      testOf(
        one.map((each) => 4 * each),
        other,
        { seed: 1 },
      ),
    ).to.deep.equal(found);
  });

  it('uses blocks of the cube root of the length by default', () => {
    const [one, other] = pair({ seed: 6, n: 126, means: [0, 0], memory: 0 });
    expect(testOf(one, other, { seed: 1 }).block).to.equal(6);
    expect(testOf(one.slice(1), other.slice(1), { seed: 1 }).block).to.equal(5);
  });

  it('has the standard error of independent normal returns', () => {
    const [one, other] = pair({ seed: 7, n: 20_000, means: [0.3, 0.1], memory: 0 });
    const { standardError } = testOf(one, other, { seed: 1, resamples: 1 });
    expect(standardError * Math.sqrt(20_000)).to.be.closeTo(Math.sqrt(2 + (0.09 + 0.01) / 2), 0.05);
  });

  it('has no result for short, constant and proportional series', () => {
    const [one] = pair({ seed: 8, n: 50, means: [0.1, 0], memory: 0 });
    const reason = (first: ArrayLike<number>, second: ArrayLike<number>, block?: number) => {
      const found = sharpeDifference(first, second, { seed: 1, ...(block === undefined ? {} : { block }) });
      return found.ok ? 'ok' : found.reason;
    };
    expect(reason([], [])).to.equal('too_few');
    expect(reason([0.1], [0.2])).to.equal('too_few');
    expect(reason(one, one, 26)).to.equal('too_few');
    expect(
      reason(
        one,
        one.map(() => 0.1),
      ),
    ).to.equal('no_variance');
    expect(reason(one, one)).to.equal('equal_ratios');
    expect(
      reason(
        one,
        one.map((each) => 3 * each),
      ),
    ).to.equal('equal_ratios');
  });

  it('counts resamples without variance as evidence against the first series', () => {
    const rare = Array.from({ length: 60 }, (_, t) => (t === 30 ? 1 : 0));
    const [one] = pair({ seed: 9, n: 60, means: [-0.5, 0], memory: 0 });
    expect(testOf(rare, one, { seed: 1 }).p).to.be.greaterThan(0.2);
  });

  it('rejects different lengths, numbers that are not finite, and invalid counts', () => {
    const [one, other] = pair({ seed: 9, n: 30, means: [0, 0], memory: 0 });
    expect(() => sharpeDifference(one, other.slice(1), { seed: 1 })).to.throw(RangeError);
    expect(() => sharpeDifference(one, other.fill(NaN, 3, 4), { seed: 1 })).to.throw(RangeError, /return 3 /);
    for (const block of [0, 1.5, NaN])
      expect(() => sharpeDifference(one, one, { block, seed: 1 })).to.throw(RangeError);
    for (const resamples of [0, 100_001, NaN])
      expect(() => sharpeDifference(one, one, { resamples, seed: 1 })).to.throw(RangeError);
  });
});

describe('the long-run variance by the Parzen kernel', () => {
  it('has the value of its example, and is 0 for constant values', () => {
    expect(parzenVariance([1, -1, 1, -1])).to.be.closeTo(0.3308, 1e-4);
    expect(parzenVariance([2, 2, 2])).to.equal(0);
    expect(parzenVariance([2])).to.equal(0);
  });

  it('is near the variance of independent values, and above it for autocorrelated values', () => {
    const n = 20_000;
    const [one] = pair({ seed: 1, n, means: [0, 0], memory: 0 });
    expect(parzenVariance(one)).to.be.closeTo(1, 0.1);
    const [slow] = pair({ seed: 1, n, means: [0, 0], memory: 0.5 });
    // An autoregression of 0.5 with shocks of variance 1 has the long-run variance 1 / (1 - 0.5)^2.
    expect(parzenVariance(slow)).to.be.closeTo(4, 0.6);
  });
});

function testOf(
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  options: { seed: number; resamples?: number },
) {
  const found = sharpeDifference(first, second, { resamples: RESAMPLES, ...options });
  if (!found.ok) throw new Error(found.reason);
  return found;
}

type PairTerms = { seed: number; n: number; means: [number, number]; memory: number };

/** Two independent series of autoregressions with normal shocks of variance 1, plus means. */
function pair({ seed, n, means, memory }: PairTerms): [Float64Array, Float64Array] {
  const shocks = new Float64Array(2 * n);
  fillNormals(shocks, { seed, firstSample: 0, dimensions: 2 });
  const series = (which: 0 | 1) => {
    let before = 0;
    return Float64Array.from({ length: n }, (_, t) => {
      before = memory * before + shocks[2 * t + which]!;
      return before + means[which];
    });
  };
  return [series(0), series(1)];
}
