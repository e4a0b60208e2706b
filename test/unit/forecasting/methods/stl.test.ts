import { expect } from 'chai';
import { mstl } from '#lib/numerics/stl/mstl.ts';
import { stl } from '#lib/numerics/stl/stl.ts';
import { expectClose, golden, goldenSeries } from './golden.ts';

describe('stl', () => {
  for (const [name, fits] of Object.entries(golden.stl))
    for (const { robust, seasonal, trend } of fits)
      it(`decomposes ${name} as R does, ${robust ? 'with' : 'without'} robust weights`, () => {
        const { values, period } = goldenSeries(name);
        const parts = stl(values.slice(0, seasonal.length), { period, seasonal: 11, robust });
        expectClose(parts.seasonal, seasonal, 1e-11);
        expectClose(parts.trend, trend, 1e-11);
      });

  it('gives components whose sum is the series', () => {
    const { values, period } = goldenSeries('ldeaths');
    const { seasonal, trend, remainder } = stl(values, { period, seasonal: 7, robust: false });
    values.forEach((value, t) =>
      expect(seasonal[t]! + trend[t]! + remainder[t]!).to.be.closeTo(value, 1e-9 * value),
    );
  });

  it('gives a seasonal component that an outlier hardly changes, if the fit is robust', () => {
    const values = Float64Array.from(
      { length: 144 },
      (_, t) => 100 + t + 10 * ((t % 12) - 5.5) + ((t * 37) % 11),
    );
    const spoilt = values.slice();
    spoilt[77] = spoilt[77]! + 500;
    const moved = (robust: boolean) =>
      Math.abs(
        stl(spoilt, { period: 12, seasonal: 11, robust }).seasonal[77]! -
          stl(values, { period: 12, seasonal: 11, robust }).seasonal[77]!,
      );
    expect(moved(true)).to.be.below(1);
    expect(moved(false)).to.be.above(50);
  });
});

describe('mstl', () => {
  it('decomposes half-hourly demand into a daily and a weekly season as R does', () => {
    const parts = mstl(Float64Array.from(golden.mstl.values), [336, 48]);
    expect(parts.periods).to.deep.equal([48, 336]);
    expectClose(parts.seasonals[0]!, golden.mstl.seasonal_48, 1e-11);
    expectClose(parts.seasonals[1]!, golden.mstl.seasonal_336, 1e-11);
    expectClose(parts.trend, golden.mstl.trend, 1e-11);
  });

  it('omits a season with at most two cycles', () => {
    expect(
      mstl(
        Float64Array.from({ length: 24 }, (_, t) => t),
        [12, 4],
      ).periods,
    ).to.deep.equal([4]);
    expect(mstl(Float64Array.of(1, 2, 3), [12]).seasonals).to.deep.equal([]);
  });
});
