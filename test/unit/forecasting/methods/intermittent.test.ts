import { expect } from 'chai';
import { croston, crostonRate, syntetosBoylan } from '#lib/forecasting/methods/intermittent/croston.ts';
import { demandsOf, isIntermittent } from '#lib/forecasting/methods/intermittent/demands.ts';
import {
  fadingRate,
  teunterSyntetosBabai,
} from '#lib/forecasting/methods/intermittent/teunter-syntetos-babai.ts';
import { golden } from './golden.ts';

const demand = Float64Array.from(golden.croston.values);

describe('crostonRate', () => {
  it('equals the result of R with the same smoothing parameter', () => {
    expect(crostonRate(demand, { sizes: 0.1, intervals: 0.1 })).to.be.closeTo(golden.croston.point, 1e-9);
    expect(crostonRate(demand, { sizes: 0.3, intervals: 0.3 })).to.be.closeTo(golden.croston.alpha_3, 1e-9);
  });

  it('is the mean demand per period if equal demands have equal intervals', () => {
    const even = Float64Array.from({ length: 40 }, (_, t) => (t % 4 === 3 ? 6 : 0));
    expect(crostonRate(even, { sizes: 0.2, intervals: 0.4 })).to.be.closeTo(1.5, 1e-12);
  });

  it('is 0 without any demand', () => {
    expect(crostonRate(new Float64Array(5), { sizes: 0.1, intervals: 0.1 })).to.equal(0);
  });
});

describe('methods for intermittent demand', () => {
  it('accept only series with many zeros, some demand and no negative values', () => {
    expect(isIntermittent(demand)).to.equal(true);
    expect(isIntermittent(demand.map((value) => -value))).to.equal(false);
    expect(isIntermittent(demand.map((value) => value + 1))).to.equal(false);
    expect(isIntermittent(Float64Array.of(0, 0, 5))).to.equal(false);
    for (const method of [croston, syntetosBoylan, teunterSyntetosBabai])
      expect(method.serves({ values: new Float64Array(20), period: 12 })).to.equal(false);
  });

  it('forecast the same plausible rate for all periods, in proportion to the unit of the series', () => {
    for (const method of [croston, syntetosBoylan, teunterSyntetosBabai]) {
      const form = method.choose({ values: demand, period: 1 });
      const { point } = method.fit({ values: demand, period: 1 }, form).forecast(3);
      expect(point[0]).to.be.within(0.4, 1.6);
      expect([...point]).to.deep.equal([point[0], point[0], point[0]]);
      const large = method.fit({ values: demand.map((value) => value * 1024), period: 1 }, form);
      expect(large.forecast(1).point[0]).to.equal(point[0]! * 1024);
    }
  });

  it('forecast less with the bias correction of Syntetos and Boylan than without', () => {
    const rate = (method: typeof croston): number =>
      method.fit({ values: demand, period: 1 }, { name: method.key }).forecast(1).point[0]!;
    expect(rate(syntetosBoylan)).to.be.below(rate(croston));
  });

  it('of Teunter, Syntetos and Babai forecast less after demand has ended, unlike the method of Croston', () => {
    const ended = Float64Array.from([...demand, ...Array.from({ length: 60 }, () => 0)]);
    const smoothing = { sizes: 0.1, intervals: 0.1 };
    expect(fadingRate(ended, smoothing)).to.be.below(0.01 * fadingRate(demand, smoothing));
    expect(crostonRate(ended, smoothing)).to.equal(crostonRate(demand, smoothing));
  });

  it('count the first interval from one period before the first value', () => {
    const { sizes, intervals } = demandsOf(Float64Array.of(0, 0, 4, 1, 0));
    expect([...sizes]).to.deep.equal([4, 1]);
    expect([...intervals]).to.deep.equal([3, 1]);
  });
});
