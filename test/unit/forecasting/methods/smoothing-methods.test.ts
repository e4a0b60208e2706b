import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import type { ForecastMethod, Series } from '#lib/forecasting/methods/method.ts';
import { smoothingMethods } from '#lib/forecasting/methods/smoothing-methods.ts';
import { inTurn, repetitions } from '../../../support/repetitions.ts';

const file = new URL('../../../golden/forecasting/smoothing.json', import.meta.url);
const { cases }: { cases: { name: string; period: number; values: number[] }[] } = JSON.parse(
  readFileSync(file, 'utf8'),
);

const horizon = 24;
const ADDITIVE = new Set(['naive', 'seasonal_naive', 'ses', 'holt', 'damped_holt', 'theta', 'dynamic_theta']);

const forecastOf = (method: ForecastMethod<any>, series: Series, ahead = horizon) =>
  method.fit(series, method.choose(series)).forecast(ahead);

const expectSound = (method: ForecastMethod<any>, series: Series): void => {
  if (!method.serves(series)) return;
  const form = method.choose(series);
  expect(JSON.parse(JSON.stringify(form)), method.key).to.deep.equal(form);
  const fit = method.fit(series, form);
  const { point, standardErrors } = fit.forecast(horizon);
  const what = `${method.key} of ${series.values.slice(0, 6).join(' ')} (${series.values.length}, ${series.period})`;
  expect(point.length, what).to.equal(horizon);
  expect([...point].every(Number.isFinite), `${what}: ${point.join(' ')}`).to.equal(true);
  for (const error of standardErrors ?? [])
    expect(Number.isFinite(error) && error >= 0, `${what}: error ${error}`).to.equal(true);
  for (const [name, value] of Object.entries(fit.parameters))
    expect(Number.isFinite(value), `${what}: ${name} is ${value}`).to.equal(true);
};

const nasty: Record<string, number[]> = {
  'one value': [5],
  'two values': [5, 7],
  'three values': [5, 7, 6],
  'four values': [5, 7, 6, 9],
  'five values': [1, 100, 1, 100, 1],
  'a constant': Array.from({ length: 40 }, () => 3),
  zeros: Array.from({ length: 40 }, () => 0),
  negatives: Array.from({ length: 40 }, (_, t) => -10 - ((t * 7) % 11)),
  'both signs': Array.from({ length: 50 }, (_, t) => ((t * 37) % 23) - 11),
  'a straight line': Array.from({ length: 40 }, (_, t) => 1 + 2 * t),
  'a falling line': Array.from({ length: 48 }, (_, t) => 100 - 2 * t),
  'exact growth': Array.from({ length: 60 }, (_, t) => 1.1 ** t),
  'an exact season': Array.from({ length: 60 }, (_, t) => 10 + (t % 12)),
  'tiny values': Array.from({ length: 60 }, (_, t) => 1e-300 * (1 + ((t * 7) % 12))),
  'huge values': Array.from({ length: 60 }, (_, t) => 1e300 * (1 + ((t * 7) % 12))),
  'values of all sizes': Array.from({ length: 60 }, (_, t) => 10 ** (((t * 37) % 61) - 30)),
  'one spike': Array.from({ length: 60 }, (_, t) => (t === 30 ? 1e6 : 1)),
  'zeros with spikes': Array.from({ length: 60 }, (_, t) => (t % 7 === 0 ? 5 : 0)),
  'a step': Array.from({ length: 60 }, (_, t) => (t < 30 ? 1 : 1000)),
  'errors larger than values': Array.from({ length: 28 }, (_, t) => 10 ** (((t * 37) % 23) - 11)),
  'values whose inverse Box-Cox transform is extreme': [1e-323, 1, 1e-323, 1],
  'a collapse': Array.from({ length: 60 }, (_, t) => (t < 50 ? 1000 : 1e-3)),
};

describe('smoothing methods', () => {
  it('have unique keys', () => {
    const keys = smoothingMethods.map(({ key }) => key);
    expect(new Set(keys).size).to.equal(keys.length);
  });

  for (const [turn, [name, values]] of Object.entries(nasty).entries())
    it(`give finite forecasts for ${name}`, () => {
      for (const method of smoothingMethods)
        for (const period of inTurn([1, 2, 4, 12, 52], turn))
          expectSound(method, { values: Float64Array.from(values), period });
    });

  it('give finite forecasts for any series of finite values', () => {
    const value = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ min: -1e9, max: 1e9, noNaN: true }));
    const values = fc.array(value, { minLength: 1, maxLength: 40 });
    fc.assert(
      fc.property(values, fc.constantFrom(1, 4, 12), (drawn, period) => {
        for (const method of smoothingMethods)
          expectSound(method, { values: Float64Array.from(drawn), period });
      }),
      { numRuns: repetitions.forecasts },
    );
  });

  it('give finite forecasts from the values before an origin, with the form chosen on the whole series', () => {
    for (const { values, period } of cases)
      for (const method of smoothingMethods) {
        const form = method.choose({ values: Float64Array.from(values), period });
        for (const n of [values.length - 1, 2 * period, period + 1, 4, 3]) {
          const { point } = method
            .fit({ values: Float64Array.from(values.slice(0, n)), period }, form)
            .forecast(6);
          expect([...point].every(Number.isFinite), `${method.key} of ${n}`).to.equal(true);
        }
      }
  });

  for (const method of smoothingMethods) {
    it(`${method.key}: gives the same forecast for two calls and does not change the series`, () => {
      for (const { values, period } of cases.slice(0, 4)) {
        const series = { values: Float64Array.from(values), period };
        expect(forecastOf(method, series)).to.deep.equal(forecastOf(method, series));
        expect([...series.values]).to.deep.equal(values);
      }
    });

    it(`${method.key}: doubles the forecast, to the bit, if all values are doubled`, () => {
      if (method.key.includes('box_cox')) return;
      for (const { values, period } of cases) {
        const once = forecastOf(method, { values: Float64Array.from(values), period });
        const twice = forecastOf(method, { values: Float64Array.from(values, (value) => 2 * value), period });
        expect([...twice.point]).to.deep.equal([...once.point].map((value) => 2 * value));
      }
    });

    it(`${method.key}: scales the forecast with the unit of the values to within 2 %`, () => {
      for (const { name, values, period } of cases) {
        const series = { values: Float64Array.from(values), period };
        const form = method.choose(series);
        const once = method.fit(series, form).forecast(horizon).point;
        const scaled = { values: Float64Array.from(values, (value) => 1.7 * value), period };
        const other = method.fit(scaled, form).forecast(horizon).point;
        for (let h = 0; h < horizon; h += 1)
          expect(other[h]! / 1.7 / once[h]!, `${name} at ${h}`).to.be.closeTo(1, 0.02);
      }
    });
  }

  for (const method of smoothingMethods.filter(({ key }) => ADDITIVE.has(key)))
    it(`${method.key}: adds a constant to the forecast if the constant is added to all values`, () => {
      for (const { name, values } of cases) {
        const spread = Math.max(...values) - Math.min(...values);
        const once = forecastOf(method, { values: Float64Array.from(values), period: 1 }).point;
        const shifted = { values: Float64Array.from(values, (value) => value + spread), period: 1 };
        const other = forecastOf(method, shifted).point;
        for (let h = 0; h < horizon; h += 1)
          expect((other[h]! - spread - once[h]!) / spread, `${name} at ${h}`).to.be.closeTo(0, 5e-3);
      }
    });

  it('reject an empty series, a series of less than one season, and a Box-Cox transformation of values that are not positive', () => {
    const byKey = new Map(smoothingMethods.map((method) => [method.key, method]));
    expect(byKey.get('theta_box_cox')!.serves({ values: Float64Array.of(1, 2, 0), period: 1 })).to.equal(
      false,
    );
    expect(byKey.get('theta_box_cox')!.serves({ values: Float64Array.of(1, 2, 3), period: 1 })).to.equal(
      true,
    );
    expect(byKey.get('seasonal_naive')!.serves({ values: Float64Array.of(1, 2, 3), period: 4 })).to.equal(
      false,
    );
    expect(byKey.get('ses')!.serves({ values: new Float64Array(0), period: 1 })).to.equal(false);
  });
});
