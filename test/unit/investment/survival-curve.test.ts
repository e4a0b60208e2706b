import { expect } from 'chai';
import fc from 'fast-check';
import { survivalProbabilities } from '#lib/investment/collateral/survival-curve.ts';

const close = (actual: Float64Array, expected: number[]) => {
  expect(actual.length).to.equal(expected.length);
  expected.forEach((value, index) => expect(actual[index]).to.be.closeTo(value, 1e-15));
};

describe('survival probabilities', () => {
  it('from hazard rates apply each rate up to its time, and the last rate after the last time', () => {
    const curve = { kind: 'hazard', timesYears: [1, 3], hazards: [0.01, 0.03] } as const;
    const integrals = [0, 0.005, 0.01, 0.04, 0.07, 0.13];
    close(
      survivalProbabilities(curve, [0, 0.5, 1, 2, 3, 5]),
      integrals.map((integral) => Math.exp(-integral)),
    );
  });

  it('from spreads use spread / loss given default as hazard, interpolated linearly and extrapolated flat', () => {
    const curve = {
      kind: 'spread',
      timesYears: [1, 3],
      spreads: [0.006, 0.012],
      lossGivenDefault: 0.6,
    } as const;
    const hazards: [number, number][] = [
      [0, 0.01],
      [0.5, 0.01],
      [1, 0.01],
      [2, 0.015],
      [3, 0.02],
      [10, 0.02],
    ];
    close(
      survivalProbabilities(
        curve,
        hazards.map(([time]) => time),
      ),
      hazards.map(([time, hazard]) => Math.exp(-hazard * time)),
    );
  });

  it('are the same for a flat hazard rate and for the flat spread that the rate implies', () => {
    const times = [0, 0.1, 1, 7, 30];
    const hazard = survivalProbabilities(
      { kind: 'hazard', timesYears: [2, 5], hazards: [0.02, 0.02] },
      times,
    );
    const spread = {
      kind: 'spread',
      timesYears: [2, 5],
      spreads: [0.01, 0.01],
      lossGivenDefault: 0.5,
    } as const;
    close(survivalProbabilities(spread, times), [...hazard]);
  });

  it('start at 1 and never rise, for any hazard rates and any times', () => {
    const positive = fc.double({ min: 0.01, max: 5, noNaN: true });
    fc.assert(
      fc.property(
        fc.array(fc.tuple(positive, fc.double({ min: 0, max: 3, noNaN: true })), {
          minLength: 1,
          maxLength: 8,
        }),
        fc.array(positive, { maxLength: 20 }),
        (pieces, steps) => {
          let at = 0;
          const timesYears = pieces.map(([years]) => (at += years));
          let time = 0;
          const grid = [0, ...steps.map((step) => (time += step))];
          const curve = { kind: 'hazard' as const, timesYears, hazards: pieces.map(([, hazard]) => hazard) };
          const survival = survivalProbabilities(curve, grid);
          expect(survival[0]).to.equal(1);
          for (let i = 1; i < grid.length; i += 1) expect(survival[i]).to.be.within(0, survival[i - 1]!);
        },
      ),
    );
  });

  it('cannot be computed from a curve without points', () => {
    expect(() => survivalProbabilities({ kind: 'hazard', timesYears: [], hazards: [] }, [1])).to.throw(
      RangeError,
    );
  });
});
