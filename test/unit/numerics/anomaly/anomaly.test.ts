import { expect } from 'chai';
import fc from 'fast-check';
import { generalisedEsd } from '#lib/numerics/anomaly/generalised-esd.ts';
import { fitHistogramScore } from '#lib/numerics/anomaly/histogram-score.ts';
import { fitIsolationForest } from '#lib/numerics/anomaly/isolation-forest.ts';
import { fitLocalOutlierFactor, fitNeighbourDistance } from '#lib/numerics/anomaly/local-outlier-factor.ts';
import { fitMahalanobis } from '#lib/numerics/anomaly/mahalanobis.ts';
import { matrixProfile, profileAgainst, valuesNeeded } from '#lib/numerics/anomaly/matrix-profile.ts';
import { fitRobustZ } from '#lib/numerics/anomaly/robust-z.ts';
import {
  forecastRemainders,
  remainderAhead,
  seasonalRemainder,
} from '#lib/numerics/anomaly/seasonal-remainder.ts';
import type { FittedDetector, Table } from '#lib/numerics/anomaly/table.ts';
import { fitTailProbability } from '#lib/numerics/anomaly/tail-probability.ts';

const detectors: Readonly<Record<string, (table: Table) => FittedDetector>> = {
  'robust z': fitRobustZ,
  'tail probability': fitTailProbability,
  Mahalanobis: (table) => fitMahalanobis(table, 0.1),
  histogram: fitHistogramScore,
  'local outlier factor': (table) => fitLocalOutlierFactor(table, 5),
  'neighbour distance': (table) => fitNeighbourDistance(table, 3),
  'isolation forest': fitIsolationForest,
};

/** A reference of 60 rows with two varying columns and one constant column. */
const usual: Table = {
  values: Float64Array.from(Array.from({ length: 60 }, (_, row) => [row % 8, (row * 3) % 10, 4]).flat()),
  dimensions: 3,
};
const strange: Table = { values: Float64Array.of(100, 5, 4), dimensions: 3 };

describe('anomaly scores', () => {
  for (const [name, fit] of Object.entries(detectors)) {
    // The trees of an isolation forest split only within the range of the reference. A point outside the
    // range gets the score of a point on the boundary, which need not be the highest score.
    it(`by ${name} are finite, and high for a point far from the reference`, () => {
      const fitted = fit(usual);
      const { scores } = fitted.reference();
      expect(scores.every(Number.isFinite)).to.equal(true);
      const [far] = fitted.score(strange).scores;
      const beyond = name === 'isolation forest' ? scores.toSorted()[30]! : Math.max(...scores);
      expect(far).to.be.greaterThan(beyond - 1e-12);
    });

    it(`by ${name} do not depend on the other scored rows or on the order of the reference`, () => {
      const fitted = fit(usual);
      const one = { values: usual.values.slice(0, 3), dimensions: 3 };
      const both = { values: Float64Array.of(...strange.values, ...one.values), dimensions: 3 };
      expect(fitted.score(both).scores[1]).to.equal(fitted.score(one).scores[0]);
      if (name === 'isolation forest') return;
      const rows = Array.from({ length: 60 }, (_, row) =>
        usual.values.subarray(3 * row, 3 * row + 3),
      ).toReversed();
      const turned = fit({ values: Float64Array.from(rows.flatMap((row) => [...row])), dimensions: 3 });
      expect(turned.score(strange).scores[0]).to.be.closeTo(fitted.score(strange).scores[0]!, 1e-9);
    });
  }

  it('have the largest contribution from the anomalous column', () => {
    for (const name of ['robust z', 'tail probability', 'Mahalanobis', 'histogram']) {
      const { contributions } = detectors[name]!(usual).score(strange);
      expect(contributions!.indexOf(Math.max(...contributions!)), name).to.equal(0);
    }
  });

  it('are finite for a reference in which all rows are equal', () => {
    const same: Table = { values: new Float64Array(40).fill(2), dimensions: 2 };
    for (const [name, fit] of Object.entries(detectors))
      expect(fit(same).reference().scores.every(Number.isFinite), name).to.equal(true);
  });

  it('by Mahalanobis are rejected if the values are too large for a covariance', () => {
    for (const shrinkage of [0, 0.1, 1]) {
      const values = Float64Array.from({ length: 20 }, (_, at) => (at % 2 === 0 ? at : 1e308));
      expect(() => fitMahalanobis({ values, dimensions: 2 }, shrinkage)).to.throw(RangeError, 'too large');
    }
  });

  it('by local outlier factor cannot be computed with as many neighbours as rows', () => {
    expect(() => fitLocalOutlierFactor(usual, 60)).to.throw(RangeError);
  });
});

describe('the generalised ESD test', () => {
  it('finds two outliers even if each outlier hides the other from a test of a single outlier', () => {
    const values = [...Array.from({ length: 40 }, (_, at) => Math.sin(at)), 30, 31];
    const { outliers, steps } = generalisedEsd(values, { max: 5, level: 0.05 });
    expect(outliers).to.equal(2);
    expect(steps.slice(0, 2).map(({ place }) => place)).to.deep.equal([41, 40]);
  });

  it('finds no outlier in a constant series, and throws if the maximum number of outliers is too large', () => {
    expect(generalisedEsd(new Float64Array(20).fill(3), { max: 5, level: 0.05 })).to.deep.equal({
      outliers: 0,
      steps: [],
    });
    expect(() => generalisedEsd([1, 2, 3], { max: 2, level: 0.05 })).to.throw(RangeError);
  });
});

describe('a matrix profile', () => {
  it('is 0 for a periodic series, for any unit and level of the values', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: -100, max: 100 }), (unit, level) => {
        const wave = Array.from({ length: 60 }, (_, at) => level + unit * Math.sin((at * Math.PI) / 6));
        expect(Math.max(...matrixProfile(wave, 12).distances)).to.be.below(1e-5);
      }),
      { numRuns: 20 },
    );
  });

  it('reports the window that differs from all others as the discord', () => {
    const wave = Array.from({ length: 120 }, (_, at) => Math.sin((at * Math.PI) / 6) + (at === 60 ? 3 : 0));
    expect(matrixProfile(wave, 12).discord).to.be.within(49, 60);
    expect(() => matrixProfile([1, 2, 3], 3)).to.throw(RangeError);
  });

  it('against another series is 0 if the other series contains the same windows, in any unit', () => {
    const wave = Array.from({ length: 90 }, (_, at) => Math.sin((at * Math.PI) / 6));
    expect(Math.max(...profileAgainst(wave, wave, 12))).to.equal(0);
    const larger = wave.map((each) => 7 * each - 3).slice(4, 40);
    const distances = profileAgainst(wave, larger, 12);
    expect(distances).to.have.length(25);
    expect(Math.max(...distances)).to.be.below(1e-5);
  });

  it('has a finite distance for every window exactly when the series has the minimum length', () => {
    for (let length = 4; length <= 40; length += 1) {
      const profile = (values: number) =>
        matrixProfile(
          Array.from({ length: values }, (_, at) => (at * at) % 17),
          length,
        );
      expect(profile(valuesNeeded(length)).distances.every(Number.isFinite), `${length}`).to.equal(true);
      expect(profile(valuesNeeded(length) - 1).distances.every(Number.isFinite), `${length}`).to.equal(false);
    }
  });
});

describe('the remainder of a series after removal of trend and season', () => {
  const season = [0, 4, 9, 3, -2, -7];
  const values = (length: number) => Float64Array.from({ length }, (_, at) => 50 + season[at % 6]!);

  it('is 0 for a series without noise, even for later values', () => {
    const past = values(40);
    const nothing = [
      ...seasonalRemainder(past, 6),
      ...remainderAhead(past, 6, values(60).subarray(40)),
      ...forecastRemainders(past, 6),
    ];
    for (const each of nothing) expect(Math.abs(each)).to.be.below(1e-9);
  });

  it('of a later value does not depend on the other later values', () => {
    const past = values(40).map((each, at) => each + ((at * 37) % 11) / 10);
    const [one] = remainderAhead(past, 6, [60]);
    expect(remainderAhead(past, 6, [60, 1000, -5])[0]).to.equal(one);
  });

  it('of forecasts covers as many whole seasons as the history allows, at most 50', () => {
    for (const [length, seasons] of [
      [19, 1],
      [24, 1],
      [25, 2],
      [600, 50],
    ] as const)
      expect(forecastRemainders(values(length), 6), `${length}`).to.have.length(6 * seasons);
  });
});
