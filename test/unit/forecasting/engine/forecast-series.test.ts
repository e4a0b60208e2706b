import { expect } from 'chai';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { ForecastResult } from '#lib/forecasting/engine/forecast-result.schema.ts';
import { forecastSeries } from '#lib/forecasting/engine/forecast-series.ts';
import { frequencies, type ForecastOptions } from '#lib/forecasting/engine/forecast-series.types.ts';
import { COMBINATION, methodCatalogue } from '#lib/forecasting/engine/method-catalogue.ts';
import { inTurn, repetitions } from '../../../support/repetitions.ts';

// Monthly international airline passengers in thousands, 1949 to 1951 (Box and Jenkins, series G).
const passengers = [
  112, 118, 132, 129, 121, 135, 148, 148, 136, 119, 104, 118, 115, 126, 141, 135, 125, 149, 170, 170, 158,
  133, 114, 140, 145, 150, 178, 163, 172, 178, 199, 199, 184, 162, 146, 166,
];

function resultOf(values: readonly (number | null)[], options: Partial<ForecastOptions> = {}) {
  const outcome = forecastSeries({ frequency: 'monthly', values }, { horizon: 6, ...options });
  if (!outcome.ok) throw new Error(`refused: ${JSON.stringify(outcome.refusal)}`);
  return outcome.result;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe('forecastSeries', () => {
  it('returns plain JSON of the declared schema, with points, intervals, weights and backtest', () => {
    const result = resultOf(passengers);
    expect(
      Value.Check(ForecastResult, result),
      JSON.stringify([...Value.Errors(ForecastResult, result)]),
    ).to.equal(true);
    expect(JSON.parse(JSON.stringify(result))).to.deep.equal(result);
    expect(result.points).to.have.length(6);
    expect(result.intervals.map(({ level }) => level)).to.deep.equal([50, 80, 95]);
    expect(result.interval_basis.methods).to.deep.equal(['theta', 'ets', 'arima']);
    expect(result.backtest.origins).to.have.length(3);
    expect(result.backtest.coverage.map(({ of }) => of)).to.deep.equal([18, 18, 18]);
    expect(sum(result.methods.map(({ weight }) => weight))).to.be.closeTo(1, 1e-12);
  });

  it('returns points that are the weighted mean of the points of the methods', () => {
    const { methods, points } = resultOf(passengers);
    const combined = points.map((_, step) =>
      sum(methods.map(({ weight, points }) => (weight > 0 ? weight * points[step]! : 0))),
    );
    combined.forEach((value, step) => expect(value).to.be.closeTo(points[step]!, 1e-9 * points[step]!));
  });

  it('also reports the forecasts of methods without weight', () => {
    const { methods } = resultOf(passengers);
    const lost = methods.filter(({ role }) => role !== 'combined');
    expect(lost).to.not.have.length(0);
    for (const { method, role, points, weight } of lost) {
      expect(weight, method).to.equal(0);
      if (role !== 'failed') expect(points, method).to.have.length(6);
    }
  });

  it('returns the same JSON text for the same request', () => {
    expect(JSON.stringify(resultOf(passengers))).to.equal(JSON.stringify(resultOf([...passengers])));
  });

  it('does not depend on values after the last period of its history', () => {
    const known = [...passengers.slice(0, 30)];
    const before = JSON.stringify(resultOf(known));
    const longer = resultOf(passengers);
    expect(JSON.stringify(resultOf(passengers.slice(0, 30)))).to.equal(before);
    expect(longer.observations).to.equal(36);
    expect(known).to.deep.equal(passengers.slice(0, 30));
  });

  it('multiplies its points by the factor if all values are multiplied by a power of two', () => {
    const plain = resultOf(passengers);
    const scaled = resultOf(passengers.map((value) => value * 1024));
    scaled.points.forEach((value, step) => {
      expect(value / plain.points[step]!).to.be.closeTo(1024, 1e-4 * 1024);
    });
  });

  it('returns the points of the requested method, and still reports the other methods', () => {
    const all = resultOf(passengers);
    const one = resultOf(passengers, { method: 'theta' });
    expect(one.points).to.deep.equal(all.methods.find(({ method }) => method === 'theta')!.points);
    expect(one.methods.find(({ method }) => method === 'theta')!.weight).to.equal(1);
    expect(one.methods).to.have.length(all.methods.length);
  });

  it('rejects an unknown method and a method that cannot forecast the series', () => {
    const refusalOf = (method: string, values: readonly number[]) => {
      const outcome = forecastSeries({ frequency: 'monthly', values }, { horizon: 2, method });
      return outcome.ok ? undefined : outcome.refusal;
    };
    expect(refusalOf('oracle', passengers)).to.deep.equal({ code: 'unknown_method', method: 'oracle' });
    expect(refusalOf('croston', passengers)).to.include({ code: 'method_not_applicable' });
    expect(
      refusalOf(
        'theta_box_cox',
        passengers.map((value) => -value),
      ),
    ).to.include({
      code: 'method_not_applicable',
    });
  });

  it('keeps points and bounds at 0 or above if the metric cannot be negative', () => {
    const falling = Array.from({ length: 24 }, (_, t) => Math.max(0, 40 - 2 * t + (t % 3)));
    const result = resultOf(falling, { nonNegative: true, horizon: 12 });
    for (const value of result.points) expect(value).to.be.at.least(0);
    for (const { lower } of result.intervals) for (const value of lower) expect(value).to.be.at.least(0);
  });

  it('fills missing periods and lists them', () => {
    const gaps = passengers.map((value, at) => (at === 5 || at === 20 ? null : value));
    const { treatments, points } = resultOf([null, ...gaps]);
    expect(treatments).to.deep.include({ kind: 'trimmed', leading: 1, trailing: 0 });
    expect(treatments).to.deep.include({ kind: 'interpolated', positions: [6, 21] });
    resultOf(passengers).points.forEach((value, step) => expect(points[step]! / value).to.be.closeTo(1, 0.1));
  });

  it('forecasts the level after a level shift, and reports the shift if it removed the shift', () => {
    const ripple = Array.from({ length: 60 }, (_, t) => 100 + ((t * 7) % 5) + (t < 38 ? 0 : 400));
    const { treatments, points } = resultOf(ripple);
    expect(treatments.filter(({ kind }) => kind !== 'untreated')).to.satisfy(
      (treated: { kind: string; position: number }[]) =>
        treated.length === 0 || (treated[0]!.kind === 'level_shift' && treated[0]!.position === 38),
    );
    for (const value of points) expect(value).to.be.closeTo(502, 15);
  });

  it('keeps an outlier at the last value, because no backtest can assess the removal', () => {
    const spoilt = [...passengers.slice(0, 35), 900];
    expect(resultOf(spoilt).treatments.map(({ kind }) => kind)).to.not.include('outlier');
  });

  it('forecasts in proportion to the days of each month if the request contains a calendar', () => {
    const days = Array.from({ length: 42 }, (_, at) => [20, 23, 21, 22, 19][at % 5]!);
    const sold = Array.from({ length: 36 }, (_, at) => 10 * days[at]!);
    const { points, treatments } = resultOf(sold, { calendar: { name: 'working_days', days } });
    points.forEach((value, step) => expect(value).to.be.closeTo(10 * days[36 + step]!, 1e-6));
    expect(treatments[0]).to.include({ kind: 'calendar', calendar: 'working_days' });
  });

  it('gives weight to the methods for intermittent demand if the demand is intermittent', () => {
    const demand = Array.from({ length: 48 }, (_, t) =>
      (t * t + 3 * t) % 7 < 2 && t % 5 !== 1 ? 5 + ((t * 3) % 4) : 0,
    );
    const { methods, points } = resultOf(demand, { nonNegative: true });
    expect(methods.map(({ method }) => method)).to.include.members(['croston', 'sba', 'tsb']);
    expect(
      sum(methods.filter(({ method }) => ['croston', 'sba', 'tsb'].includes(method)).map((m) => m.weight)),
    ).to.be.above(0);
    for (const value of points) expect(value).to.be.within(0, 8);
  });
});

describe('forecastSeries on difficult series', () => {
  const length = 30;
  const series: Record<string, number[]> = {
    'a constant': Array.from({ length }, () => 7),
    zeros: Array.from({ length }, () => 0),
    'negative values': passengers.map((value) => -value),
    'values of both signs': passengers.map((value, t) => (t % 2 === 0 ? value : -value)),
    'the shortest allowed history': [1, 5, 2, 8, 3, 9, 4, 7],
    'a straight line': Array.from({ length }, (_, t) => 3 + 2 * t),
    'exponential growth': Array.from({ length }, (_, t) => 1.5 ** t),
    'values near 1e-298': passengers.map((value) => value * 1e-300),
    'values near 1e302': passengers.map((value) => value * 1e300),
    'one spike': Array.from({ length }, (_, t) => (t === 12 ? 1e9 : 1)),
    'one value that is not 0': Array.from({ length }, (_, t) => (t === 3 ? 5 : 0)),
    'a spike at the end': Array.from({ length }, (_, t) => (t === length - 1 ? 1e6 : 0)),
    'a nearly constant series': Array.from({ length }, (_, t) => 1e9 + (t % 2) * 1e-6),
    'a step': Array.from({ length }, (_, t) => (t < 15 ? 0 : 1)),
    'an exact season': Array.from({ length: 48 }, (_, t) => (t % 12) + 1),
  };
  for (const [turn, [name, values]] of Object.entries(series).entries()) {
    for (const frequency of inTurn(frequencies, turn)) {
      it(`returns finite points and valid intervals for ${name}, ${frequency}`, () => {
        const horizon = Math.min(4, values.length - 4);
        const outcome = forecastSeries({ frequency, values }, { horizon });
        if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
        const { points, intervals, methods } = outcome.result;
        for (const value of points) expect(value).to.satisfy(Number.isFinite);
        for (const { lower, upper } of intervals) {
          points.forEach((value, step) => {
            expect(lower[step]).to.be.at.most(value);
            expect(upper[step]).to.be.at.least(value);
          });
        }
        expect(sum(methods.map(({ weight }) => weight))).to.be.closeTo(1, 1e-12);
        expect(Value.Check(ForecastResult, outcome.result)).to.equal(true);
      });
    }
  }

  it('returns constant points for a constant series', () => {
    for (const value of resultOf(series['a constant']!).points) expect(value).to.be.closeTo(7, 1e-9);
    for (const value of resultOf(series['zeros']!).points) expect(value).to.equal(0);
  });

  it('continues a straight line', () => {
    resultOf(series['a straight line']!).points.forEach((value, step) => {
      expect(value).to.be.closeTo(3 + 2 * (30 + step), 0.05 * (3 + 2 * (30 + step)));
    });
  });

  it('either rejects a series or returns finite points and nested intervals, for any series', () => {
    const value = fc.oneof(
      fc.constant(null),
      fc.constant(0),
      fc.integer({ min: -1000, max: 1000 }),
      fc.double({ noNaN: false }),
    );
    const values = fc.array(value, { minLength: 0, maxLength: 40 });
    fc.assert(
      fc.property(
        values,
        fc.constantFrom(...frequencies),
        fc.integer({ min: 1, max: 8 }),
        (given, frequency, horizon) => {
          const outcome = forecastSeries({ frequency, values: given }, { horizon, levels: [80, 95] });
          if (!outcome.ok) return;
          const [inner, outer] = outcome.result.intervals;
          outcome.result.points.forEach((point, step) => {
            expect(point).to.satisfy(Number.isFinite);
            expect(outer!.lower[step]).to.be.at.most(inner!.lower[step]!);
            expect(outer!.upper[step]).to.be.at.least(inner!.upper[step]!);
          });
        },
      ),
      {
        numRuns: repetitions.forecasts,
        examples: [[[0, 0, 0, 4.5e293, 0, 0, 0, 0, 0, -Number.MAX_VALUE], 'yearly', 3]],
      },
    );
  });
});

describe('the catalogue of methods', () => {
  it('has unique method names, all different from the name of the combination', () => {
    const keys = methodCatalogue.map(({ key }) => key);
    expect(new Set(keys).size).to.equal(keys.length);
    expect(keys).to.not.include(COMBINATION);
  });
});
