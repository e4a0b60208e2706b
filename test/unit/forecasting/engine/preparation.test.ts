import { expect } from 'chai';
import { calendarAdjustment } from '#lib/forecasting/engine/calendar-adjustment.ts';
import {
  findLevelShift,
  findOutliers,
  withoutOutliers,
  withoutShift,
} from '#lib/forecasting/engine/disturbances.ts';
import { fillGaps } from '#lib/forecasting/engine/fill-gaps.ts';
import { rollingOrigins } from '#lib/forecasting/engine/origins.ts';
import { workingDays } from '#lib/forecasting/engine/working-days.ts';

/** A seasonal series: a constant level, a season of four periods and a small deterministic variation. */
const seasonal = Float64Array.from(
  { length: 40 },
  (_, t) => 100 + [10, -5, 20, -25][t % 4]! + ((t * 7) % 5) * 0.2,
);
const ripple = Float64Array.from({ length: 40 }, (_, t) => 100 + ((t * 7) % 5));

describe('missing periods', () => {
  it('are filled by linear interpolation between their neighbours', () => {
    expect(fillGaps([1, null, 3, null, null, 9], 1)).to.deep.equal({
      values: Float64Array.of(1, 2, 3, 5, 7, 9),
      filled: [1, 3, 4],
    });
  });

  it('of a seasonal series are filled with values that follow the season', () => {
    const gaps = [...seasonal].map((value, at) => (at === 18 || at === 23 ? null : value));
    const { values, filled } = fillGaps(gaps, 4);
    expect(filled).to.deep.equal([18, 23]);
    expect(values[18]).to.be.closeTo(seasonal[18]!, 2);
    expect(values[23]).to.be.closeTo(seasonal[23]!, 2);
    expect(values[17]).to.equal(seasonal[17]);
  });

  it('are not added to a series without missing periods', () => {
    expect(fillGaps([...seasonal], 4)).to.deep.equal({ values: seasonal, filled: [] });
  });
});

describe('outliers', () => {
  it('are found and replaced if a single value is far from its neighbours after removal of the season', () => {
    const spoilt = seasonal.slice();
    spoilt[21] = 300;
    expect(findOutliers(spoilt, 4)).to.deep.equal([21]);
    expect(withoutOutliers(spoilt, [21], 4)[21]).to.be.closeTo(seasonal[21]!, 15);
  });

  it('are not found in a seasonal series, a constant series or a trend', () => {
    expect(findOutliers(seasonal, 4)).to.deep.equal([]);
    expect(findOutliers(new Float64Array(30).fill(5), 12)).to.deep.equal([]);
    expect(
      findOutliers(
        Float64Array.from({ length: 30 }, (_, t) => t),
        1,
      ),
    ).to.deep.equal([]);
  });

  it('are not found if many values are far from their neighbours', () => {
    const spiky = Float64Array.from(ripple, (value, t) => (t % 8 === 0 ? value * 10 : value));
    expect(findOutliers(spiky, 1)).to.deep.equal([]);
  });
});

describe('a level shift', () => {
  const shifted = ripple.map((value, t) => (t < 25 ? value : value + 50));

  it('is found with its position and size, and the earlier values are moved to the later level', () => {
    const shift = findLevelShift(shifted, 1)!;
    expect(shift.position).to.equal(25);
    expect(shift.shift).to.be.closeTo(50, 2);
    const moved = withoutShift(shifted, shift);
    expect(moved[10]).to.be.closeTo(ripple[10]! + 50, 2);
    expect(moved.slice(25)).to.deep.equal(shifted.slice(25));
  });

  it('is not found in a linear trend, a constant, a seasonal or a short series', () => {
    expect(
      findLevelShift(
        Float64Array.from({ length: 40 }, (_, t) => 3 * t),
        1,
      ),
    ).to.equal(null);
    expect(findLevelShift(new Float64Array(40).fill(2), 4)).to.equal(null);
    expect(findLevelShift(seasonal, 4)).to.equal(null);
    expect(findLevelShift(shifted.slice(18, 33), 1)).to.equal(null);
  });
});

describe('the days of each month', () => {
  it('scale values to months of mean length and scale forecasts back', () => {
    const { mean, adjust, restore } = calendarAdjustment([20, 22, 21], 2);
    expect(mean).to.equal(21);
    expect([20, 22].map(adjust)).to.deep.equal([21, 21]);
    expect(adjust(null, 0)).to.equal(null);
    expect(restore(21, 0)).to.equal(21);
  });

  it('are counted from Monday to Friday without holidays', () => {
    expect(workingDays('2020-02', 2)).to.deep.equal([20, 22]);
    expect(workingDays('2021-12', 1, new Set(['2021-12-24', '2021-12-25']))).to.deep.equal([22]);
    expect(workingDays('1969-12', 2)).to.deep.equal([23, 22]);
  });
});

describe('the rolling origins of a backtest', () => {
  it('begin one horizon before the end and go back in steps of half a horizon', () => {
    expect(rollingOrigins(30, 6).map(({ observations }) => observations)).to.deep.equal([24, 21, 18]);
    expect(rollingOrigins(115, 18).map(({ observations }) => observations)).to.deep.equal([97, 88, 79]);
  });

  it('use at most a third of the values for comparison and at least half of the values for fitting', () => {
    expect(rollingOrigins(12, 6)).to.deep.equal([
      { observations: 8, horizon: 4 },
      { observations: 6, horizon: 4 },
    ]);
    expect(rollingOrigins(13, 60)).to.deep.equal([
      { observations: 9, horizon: 4 },
      { observations: 7, horizon: 4 },
    ]);
  });

  it('are empty if the series is too short', () => {
    expect(rollingOrigins(7, 3)).to.deep.equal([]);
    expect(rollingOrigins(2, 1)).to.deep.equal([]);
  });
});
