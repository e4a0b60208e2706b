import { expect } from 'chai';
import { arimaMethods } from '#lib/forecasting/methods/arima-methods.ts';
import type { Series } from '#lib/forecasting/methods/method.ts';
import { golden, goldenSeries } from './golden.ts';
import { inTurn } from '../../../support/repetitions.ts';

const noise = (t: number): number => ((t * 7919) % 101) / 101;
const run = (length: number, value: (t: number) => number): number[] =>
  Array.from({ length }, (_, t) => value(t));

const nasty: Record<string, number[]> = {
  'three values': [1, 5, 2],
  'a constant': run(40, () => 7),
  zeros: run(40, () => 0),
  negative: run(50, (t) => -100 - t - 5 * noise(t)),
  'a straight line': run(36, (t) => 3 + 2 * t),
  'a parabola': run(36, (t) => t * t),
  'an exact season': run(48, (t) => [5, 1, 9, 3][t % 4]!),
  'an exact season on a line': run(60, (t) => t + [5, 1, 9, 3][t % 4]!),
  'one step': run(40, (t) => (t < 20 ? 1 : 1000)),
  'one spike': run(40, (t) => (t === 20 ? 1e6 : 1)),
  'a spike at the end': run(40, (t) => (t === 39 ? 1 : 0)),
  alternating: run(40, (t) => (t % 2 ? 1 : -1)),
  'a doubling': run(40, (t) => 2 ** t),
  'a huge unit': run(60, (t) => 1e300 * (1 + 0.1 * noise(t))),
  'a tiny unit': run(60, (t) => 1e-300 * (1 + 0.1 * noise(t))),
  'near a constant': run(60, (t) => 1e9 + 1e-3 * noise(t)),
  'many zeros': run(60, (t) => (t % 5 === 2 ? 1 + noise(t) : 0)),
  ...Object.fromEntries(
    [4, 5, 6, 7, 8, 9, 10, 13, 25].map((n) => [`${n} values`, run(n, (t) => 10 + t + 3 * noise(t))]),
  ),
};

describe('arimaMethods', () => {
  for (const method of arimaMethods) {
    it(`${method.key} returns finite values for every difficult series that it accepts`, () => {
      for (const [turn, [name, values]] of Object.entries(nasty).entries())
        for (const period of inTurn([1, 4, 12], turn, 1)) {
          const series = { values: Float64Array.from(values), period };
          if (!method.serves(series)) continue;
          const fit = method.fit(series, method.choose(series));
          for (const horizon of [1, 13]) {
            const { point, standardErrors } = fit.forecast(horizon);
            expect(point).to.have.length(horizon);
            expect(point.every(Number.isFinite), `${name}, ${period}: ${point.join(' ')}`).to.equal(true);
            expect(standardErrors?.every((error) => error >= 0) ?? true, `${name}, ${period}`).to.equal(true);
          }
          expect(Object.values(fit.parameters).every(Number.isFinite), `${name}, ${period}`).to.equal(true);
        }
    });

    it(`${method.key} gives finite forecasts at every origin of a backtest, with the form chosen on the whole series`, () => {
      for (const series of samples()) {
        if (!method.serves(series)) continue;
        const form = method.choose(series);
        expect(JSON.parse(JSON.stringify(form))).to.deep.equal(form);
        for (const less of [1, 6, 18, 40]) {
          const values = series.values.slice(0, -less);
          if (!method.serves({ ...series, values })) continue;
          expect(
            method
              .fit({ ...series, values }, form)
              .forecast(6)
              .point.every(Number.isFinite),
          ).to.equal(true);
        }
      }
    });

    it(`${method.key} gives the same forecast to the bit, times the factor, if the unit changes by a power of two`, () => {
      for (const series of samples()) {
        if (!method.serves(series)) continue;
        const scaled = { ...series, values: series.values.map((value) => value / 64) };
        const form = method.choose(series);
        expect(method.choose(scaled)).to.deep.equal(form);
        const plain = method.fit(series, form).forecast(8);
        const other = method.fit(scaled, form).forecast(8);
        expect([...other.point].map((value) => value * 64)).to.deep.equal([...plain.point]);
      }
    });

    it(`${method.key} gives the same result for two calls and does not change the series`, () => {
      for (const series of samples()) {
        if (!method.serves(series)) continue;
        const before = series.values.slice();
        const answers = [1, 2].map(() => [...method.fit(series, method.choose(series)).forecast(5).point]);
        expect(answers[0]).to.deep.equal(answers[1]);
        expect(series.values).to.deep.equal(before);
      }
    });
  }

  it('have unique keys', () => {
    const keys = arimaMethods.map(({ key }) => key);
    expect(new Set(keys).size).to.equal(keys.length);
  });
});

function samples(): Series[] {
  return [
    goldenSeries('AirPassengers'),
    goldenSeries('UKgas'),
    goldenSeries('lynx'),
    { values: Float64Array.from([...golden.croston.values, ...golden.croston.values]), period: 1 },
  ];
}
