import { expect } from 'chai';
import { laterPeriod } from '#lib/data/period-steps.ts';
import { forecastSeries } from '#lib/forecasting/engine/forecast-series.ts';
import { FORECAST_MODEL } from '#lib/forecasting/engine/forecast-models.ts';
import { engineQuestion, forecastOutput, readSeries } from '#lib/forecasting/forecast-output.ts';
import type { ForecastInput, ForecastOutput } from '#lib/forecasting/forecasts.schema.ts';
import { commonErrors } from '#lib/forecasting/reconciliation/error-rows.ts';
import { historyGap } from '#lib/forecasting/reconciliation/history-gap.ts';
import { reconcileForecasts } from '#lib/forecasting/reconciliation/reconcile-forecasts.ts';
import type {
  ReconciliationInput,
  ReconciliationMethod,
  ReconciliationOutput,
} from '#lib/forecasting/reconciliation/reconciliations.schema.ts';
import { errorsOfForecast, type SealedForecast } from '#lib/forecasting/reconciliation/sealed-forecast.ts';

const MONTHS = 36;
const season = [3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8];
const north = Array.from({ length: MONTHS }, (_, at) => 100 + 2 * at + 5 * season[at % 12]!);
const south = Array.from({ length: MONTHS }, (_, at) => 80 + 10 * Math.sin(at * at));
const group = north.map((value, at) => value + south[at]!);

type Options = Partial<Pick<ForecastInput, 'horizon' | 'levels' | 'non_negative'>> & { currency?: string };

/** Returns a forecast of monthly values from January 2022 on, as its run seals it. */
function sealedForecast(values: readonly (number | null)[], options: Options = {}): SealedForecast {
  const { currency = 'EUR', ...given } = options;
  const input: ForecastInput = {
    metric: 'revenue',
    company_id: 1,
    horizon: 6,
    reason: null,
    as_of: '2026-01-01T00:00:00.000Z',
    method: 'combination',
    levels: [80, 95],
    non_negative: true,
    calendar: null,
    frequency: null,
    ...given,
  };
  const observed = values.flatMap((value, at) =>
    value === null ? [] : [{ lastDay: laterPeriod('monthly', '2022-01-31', at), value }],
  );
  const metric = { frequency: 'monthly' as const, unit: 'money', currency, observed };
  const read = readSeries(metric);
  const { series, options: engine } = engineQuestion(input, read);
  const outcome = forecastSeries(series, engine);
  if (!outcome.ok) throw new Error(outcome.refusal.code);
  const { output, attachments } = forecastOutput(outcome.result, metric, read);
  return {
    input,
    result: output.result as ForecastOutput,
    history: attachments.history,
    model: FORECAST_MODEL,
  };
}

const uids = ['A', 'B', 'C', 'D', 'E'].map((letter) => `fct_0000000000000000000000000${letter}`);

function inputOf(
  method: ReconciliationMethod,
  sums: readonly (readonly [number, ...number[]])[] = [[0, 1, 2]],
): ReconciliationInput {
  const named = [...new Set(sums.flat())];
  return {
    method,
    reason: null,
    sums: sums.map(([total, ...parts]) => ({ total: uids[total]!, parts: parts.map((part) => uids[part]!) })),
    forecasts: named.map((at) => ({
      forecast: uids[at]!,
      metric: 'revenue',
      company_id: at + 1,
      result_hash: '0'.repeat(64),
    })),
  };
}

const reconciled = (
  method: ReconciliationMethod,
  forecasts: readonly SealedForecast[],
): ReconciliationOutput => {
  const found = reconcileForecasts(inputOf(method), forecasts);
  if (!found.ok) throw new Error(found.refusal.detail);
  return found.result;
};

describe('The reconciliation of forecasts', function () {
  this.timeout(60_000);
  let forecasts: SealedForecast[];

  before(() => {
    forecasts = [group, north, south].map((values) => sealedForecast(values));
  });

  for (const method of ['mint_shrink', 'wls_structural', 'ols', 'bottom_up'] as const) {
    it(`${method} makes every total equal to the sum of its parts, to the bit`, () => {
      const { forecasts: found, errors } = reconciled(method, forecasts);
      const [total, one, other] = found;
      expect(total!.points).to.deep.equal(one!.points.map((value, step) => value + other!.points[step]!));
      expect(found.map(({ role }) => role)).to.deep.equal(['total', 'part', 'part']);
      expect(found.map(({ base_points }) => base_points)).to.deep.equal(
        forecasts.map(({ result }) => result.points),
      );
      expect(errors).to.be.above(6);
    });
  }

  it('gives the same bytes when it is repeated', () => {
    const [once, twice] = [0, 1].map(() => JSON.stringify(reconciled('mint_shrink', forecasts)));
    expect(once).to.equal(twice);
  });

  it('changes the least accurate forecast most under the covariance of the errors', () => {
    const { forecasts: found, largest_gap } = reconciled('mint_shrink', forecasts);
    const change = found.map(({ points, base_points }) =>
      Math.max(...points.map((value, step) => Math.abs(value - base_points[step]!))),
    );
    expect(Math.max(...largest_gap)).to.be.above(0);
    // North is a trend with a season that the methods forecast almost exactly; south is noise.
    expect(found[1]!.backtest.base_mae!).to.be.below(found[2]!.backtest.base_mae! / 5);
    expect(change[1]!).to.be.below(change[2]! / 5);
  });

  it('scales each interval by the ratio of its standard deviations and never widens it', () => {
    const { forecasts: found } = reconciled('mint_shrink', forecasts);
    for (const [at, { intervals, points, base_points, width_ratio }] of found.entries()) {
      expect(width_ratio).to.be.within(0, 1 + 1e-9);
      const { lower } = forecasts[at]!.result.intervals[0]!;
      const expected = points.map((point, step) =>
        Math.max(0, point + width_ratio * (lower[step]! - base_points[step]!)),
      );
      expect(intervals[0]!.lower).to.deep.equal(expected);
    }
  });

  it('keeps the parts of bottom_up, and reports the errors before and after', () => {
    const { forecasts: found } = reconciled('bottom_up', forecasts);
    expect(found[1]!.points).to.deep.equal(found[1]!.base_points);
    expect(found[1]!.backtest.mae).to.be.closeTo(found[1]!.backtest.base_mae!, 1e-12);
  });

  it('sets negative points of a part to 0 before it adds the parts up', () => {
    const falling = Array.from({ length: MONTHS }, (_, at) => Math.max(0, 70 - 2 * at));
    const rest = north.map((value, at) => value - falling[at]!);
    const base = [north, falling, rest].map((values) => sealedForecast(values));
    // The total is far below its parts, so that its parts have to shrink.
    base[0]!.result.points = base[0]!.result.points.map((value) => value - 80);
    const { forecasts: found, clipped } = reconciled('ols', base);
    expect(clipped).to.be.above(0);
    expect(Math.min(...found[1]!.points)).to.equal(0);
    expect(found[0]!.points[0]).to.equal(found[1]!.points[0]! + found[2]!.points[0]!);
  });

  const refusal = (input: ReconciliationInput, given: readonly SealedForecast[]) => {
    const found = reconcileForecasts(input, given);
    return found.ok ? undefined : found.refusal;
  };

  it('refuses forecasts that differ in their periods, levels or currency, and points to the one that differs', () => {
    const [total, part] = forecasts as [SealedForecast, SealedForecast];
    const others: [SealedForecast, RegExp][] = [
      [sealedForecast(south, { horizon: 4 }), /periods/],
      [sealedForecast(south.slice(0, -1)), /periods/],
      [sealedForecast(south, { levels: [95] }), /interval levels \(80,95 and 95\)/],
      [sealedForecast(south, { currency: 'USD' }), /currency \(EUR and USD\)/],
    ];
    for (const [other, detail] of others) {
      const found = refusal(inputOf('mint_shrink'), [total, part, other])!;
      expect(found.code).to.equal('forecasts_not_alike');
      expect(found.detail).to.match(detail);
      expect(found.members['errors']).to.have.nested.property('[0].pointer', '/sums/0/parts/1');
    }
  });

  it('refuses a total whose history is not the sum of its parts, and names the latest such month', () => {
    const wrong = sealedForecast(group.map((value, at) => (at === 20 || at === 4 ? value * 1.1 : value)));
    const found = refusal(inputOf('ols'), [wrong, ...forecasts.slice(1)])!;
    expect(found.code).to.equal('parts_do_not_add_up');
    expect(found.detail).to.match(/^In 2023-09, /);
    expect(found.members).to.have.nested.property('errors[0].pointer', '/sums/0');
  });

  it('refuses mint_shrink for backtests without common errors, and names a method that needs none', () => {
    // A backtest of 8 values has its origin 2 months before the end, one of 36 values 4 months and more.
    const young = south.map((value, at) => (at < MONTHS - 8 ? null : value));
    const short = [group, north, young].map((values) => sealedForecast(values, { horizon: 4 }));
    const found = refusal(inputOf('mint_shrink'), short)!;
    expect(found.code).to.equal('insufficient_history');
    expect(found.members).to.include({ observed: 0, needed: 2 });
    const without = reconciled('wls_structural', short);
    expect(without.errors).to.equal(0);
    expect(without.shrinkage).to.equal(null);
    expect(without.forecasts.map(({ width_ratio }) => width_ratio)).to.deep.equal([1, 1, 1]);
  });
});

describe('The common backtest errors', () => {
  it('are those at the same origins, up to the shortest horizon', () => {
    const long = [
      { before: 3, errors: Float64Array.of(1, 2, 3) },
      { before: 4, errors: Float64Array.of(4, 5, 6) },
    ];
    const short = [{ before: 4, errors: Float64Array.of(7, 8) }];
    const found = commonErrors([long, short]);
    expect(found.map(({ before, errors }) => ({ before, errors: errors.to2DArray() }))).to.deep.equal([
      {
        before: 4,
        errors: [
          [4, 7],
          [5, 8],
        ],
      },
    ]);
  });

  it('have the mean that the sealed backtest states', () => {
    const sealed = sealedForecast(south);
    const errors = errorsOfForecast(sealed);
    const means = errors.map(
      (origin) => origin.errors.reduce((sum, error) => sum + Math.abs(error), 0) / origin.errors.length,
    );
    for (const [at, mean] of means.entries())
      expect(mean).to.be.closeTo(sealed.result.backtest.combination.mae_by_origin[at]!, 1e-9);
  });
});

describe('The gap between a total and its parts', () => {
  const months = (values: readonly (number | null)[]) =>
    values.map((value, at) => ({ period: `2024-0${at + 1}`, value }));
  const sums = [{ total: 0, parts: [1, 2] }];

  it('ignores rounding and months in which a value is missing', () => {
    const histories = [months([10.04, 99, null]), months([4, null, 4]), months([6, 6, 6])];
    expect(historyGap(sums, histories)).to.equal(undefined);
  });

  it('finds a gap between amounts that cancel', () => {
    expect(historyGap(sums, [months([2]), months([10]), months([-9])])).to.deep.equal({
      sum: 0,
      period: '2024-01',
      total: 2,
      parts: 1,
    });
  });
});
