import { expect } from 'chai';
import fc from 'fast-check';
import { boxCox, inverseBoxCox } from '#lib/forecasting/methods/box-cox.ts';
import { seasonalIndices } from '#lib/forecasting/methods/classical-decomposition.ts';
import { adjustSeason, chooseSeason, restoreSeason } from '#lib/forecasting/methods/seasonal-adjustment.ts';
import { isSeasonal } from '#lib/forecasting/methods/seasonality-test.ts';
import { shrunkIndices } from '#lib/forecasting/methods/shrunk-indices.ts';
import { scaleToUnit } from '#lib/forecasting/methods/unit-scale.ts';

const wave = (n: number, period: number): Float64Array =>
  Float64Array.from({ length: n }, (_, t) => 10 + 0.1 * t + ((t % period) - (period - 1) / 2));

describe('seasonal adjustment', () => {
  it('finds the exact seasonal indices of a series without noise', () => {
    const indices = seasonalIndices(wave(40, 4), 4, 'additive')!;
    expect([...indices].map((index) => Number(index.toFixed(9)))).to.deep.equal([-1.5, -0.5, 0.5, 1.5]);
    expect([...seasonalIndices(Float64Array.of(1, 3, 1, 3, 1, 3), 2, 'multiplicative')!]).to.deep.equal([
      0.5, 1.5,
    ]);
  });

  it('finds a season only in a series of at least three cycles', () => {
    expect(isSeasonal(wave(36, 12), 12)).to.equal(true);
    expect(isSeasonal(wave(35, 12), 12)).to.equal(false);
    expect(isSeasonal(wave(36, 12), 1)).to.equal(false);
    expect(isSeasonal(new Float64Array(48).fill(5), 12)).to.equal(false);
  });

  it('is additive if not all values are positive, and otherwise multiplicative', () => {
    const values = wave(48, 12).map((value) => value - 12);
    expect(chooseSeason({ values, period: 12 })).to.equal('additive');
    expect(chooseSeason({ values: wave(48, 12), period: 12 })).to.equal('multiplicative');
  });

  for (const kind of ['additive', 'multiplicative'] as const)
    it(`adds a removed season to the forecast at the right periods if the season is ${kind}`, () => {
      const values = wave(27, 4);
      const adjusted = adjustSeason({ values, period: 4 }, kind);
      expect(adjusted.kind).to.equal(kind);
      const tail = { ...adjusted, values: adjusted.values.subarray(0, 20) };
      const { point } = restoreSeason(tail, { point: adjusted.values.slice(20) });
      for (let h = 0; h < 7; h += 1) expect(point[h]).to.be.closeTo(values[20 + h]!, 1e-12);
    });

  it('reduces seasonal indices more if they have larger standard errors', () => {
    const exact = seasonalIndices(wave(40, 4), 4, 'additive')!;
    const kept = shrunkIndices(wave(40, 4), 4, 'additive')!;
    for (let place = 0; place < 4; place += 1) expect(kept[place]).to.be.closeTo(exact[place]!, 1e-9);
    const noisy = wave(40, 4).map((value, t) => value + (((t * 37) % 17) - 8) / 8);
    const [found, shrunk] = [seasonalIndices(noisy, 4, 'additive')!, shrunkIndices(noisy, 4, 'additive')!];
    const factor = shrunk[0]! / found[0]!;
    expect(factor).to.be.within(0.9, 0.999);
    for (let place = 0; place < 4; place += 1)
      expect(shrunk[place]).to.be.closeTo(factor * found[place]!, 1e-12);
    const noise = Float64Array.from({ length: 72 }, (_, t) => 10 + (((t * t * 37) % 101) - 50) / 50);
    const rest = shrunkIndices(noise, 12, 'multiplicative')![0]! - 1;
    expect(rest / (seasonalIndices(noise, 12, 'multiplicative')![0]! - 1)).to.be.within(0, 0.7);
  });

  it('leaves a series unchanged if it is too short or has a multiplicative index near 0', () => {
    expect(adjustSeason({ values: wave(7, 4), period: 4 }, 'additive').kind).to.equal('none');
    const holes = Float64Array.from({ length: 24 }, (_, t) => (t % 4 === 0 ? 1e-9 : 5));
    expect(adjustSeason({ values: holes, period: 4 }, 'multiplicative').kind).to.equal('none');
  });
});

describe('the Box-Cox transformation', () => {
  it('can be inverted for every lambda', () => {
    const x = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
    const lambda = fc.constantFrom(0, 0.1, 0.37, 0.5, 0.9, 1);
    fc.assert(
      fc.property(x, lambda, (value, by) => {
        const [z] = boxCox(Float64Array.of(value), by);
        expect(inverseBoxCox(z!, by) / value).to.be.closeTo(1, 1e-9);
      }),
    );
  });

  it('has the inverse 0 for a value that is not the transform of a number', () => {
    expect(inverseBoxCox(-3, 0.5)).to.equal(0);
    expect(inverseBoxCox(-3, 1)).to.equal(0);
  });
});

describe('scaleToUnit', () => {
  it('scales the largest value exactly into the range from one half to one', () => {
    const value = fc.double({ min: 1e-290, max: 1e300, noNaN: true });
    fc.assert(
      fc.property(value, value, (a, b) => {
        const { values, unit } = scaleToUnit(Float64Array.of(a, -b));
        expect(Math.max(Math.abs(values[0]!), Math.abs(values[1]!))).to.be.within(0.5, 1);
        if (Math.min(a, b) / unit > 1e-300) expect([...values].map((v) => v * unit)).to.deep.equal([a, -b]);
      }),
    );
    expect(scaleToUnit(Float64Array.of(0, 0)).unit).to.equal(1);
  });
});
