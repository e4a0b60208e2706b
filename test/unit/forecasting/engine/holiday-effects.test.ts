import { expect } from 'chai';
import fc from 'fast-check';
import { Value } from 'typebox/value';
import { chooseHolidays } from '#lib/forecasting/engine/choose-holidays.ts';
import { treatmentPanel } from '#lib/forecasting/engine/method-pool.ts';
import { specialDays } from '#lib/forecasting/calendar/special-days.ts';
import {
  estimateHolidayEffects,
  usualValues,
  withEffects,
  withoutEffects,
} from '#lib/forecasting/engine/holiday-effects.ts';
import { ForecastResult } from '#lib/forecasting/engine/forecast-result.schema.ts';
import { forecastSeries } from '#lib/forecasting/engine/forecast-series.ts';
import { uniformStream } from '#lib/numerics/uniform-stream.ts';

const FIRST = '2023-01-02';
const DAYS = 721;
const HORIZON = 14;
/** Mondays to Sundays, as shares of the level. */
const WEEK = [1, 1.02, 0.98, 1.05, 1.2, 1.4, 0.7];
// The forecast starts on 2024-12-23, so that Christmas is in the horizon.
const kinds = specialDays(['DE'], FIRST, DAYS + HORIZON);
const EFFECTS: Readonly<Record<string, number>> = { holiday: -0.6, day_before: 0.3 };

/** Daily sales with a weekly pattern, noise of 5 %, and the given effects of holidays. */
function sales(effects: Readonly<Record<string, number>>, seed = 1): number[] {
  const next = uniformStream({ seed, domain: 1, sample: 0 });
  return Array.from({ length: DAYS }, (_, at) => {
    const noise = 1 + 0.05 * (next() + next() + next() + next() - 2);
    return 1000 * WEEK[at % 7]! * noise * (1 + (effects[kinds[at]?.group ?? ''] ?? 0));
  });
}

function forecast(values: readonly (number | null)[], days = kinds, more: object = {}) {
  const outcome = forecastSeries(
    { frequency: 'daily', values },
    { horizon: HORIZON, holidays: { calendars: ['DE'], days }, ...more },
  );
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.refusal));
  return outcome.result;
}

const treatmentOf = ({ treatments }: ForecastResult) => {
  const found = treatments.find(({ kind }) => kind === 'holidays');
  if (found?.kind !== 'holidays') throw new Error('the holidays were not tested');
  return found;
};

const known = { period: 7, isKnown: () => true };

describe('the effects of holidays', () => {
  it('are found if they were planted, and change the forecast of the holidays in the horizon', () => {
    const values = sales(EFFECTS);
    const result = forecast(values);
    const { scale, effects, test } = treatmentOf(result);
    expect(scale).to.equal('relative');
    expect(test.origins).to.equal(8);
    expect(test.error_with!).to.be.below(0.8 * test.error_without!);
    for (const { day, effect } of effects) expect(effect).to.be.closeTo(EFFECTS[day] ?? 0, 0.06);
    const plain = forecastSeries({ frequency: 'daily', values }, { horizon: HORIZON });
    if (!plain.ok) throw new Error('refused');
    kinds.slice(DAYS).forEach((day, step) => {
      const truth = 1000 * WEEK[(DAYS + step) % 7]! * (1 + (EFFECTS[day?.group ?? ''] ?? 0));
      expect(result.points[step]! / truth, `step ${step}`).to.be.closeTo(1, 0.15);
      if (day?.group === 'holiday') expect(plain.result.points[step]! / truth).to.be.above(1.8);
    });
    expect(Value.Check(ForecastResult, result)).to.equal(true);
    const { lower, upper } = result.intervals[2]!;
    result.points.forEach((point, step) => expect(point).to.be.within(lower[step]!, upper[step]!));
  });

  it('are not used if there are none, and then the forecast is the same to the bit', () => {
    const values = sales({});
    const { treatments, ...result } = forecast(values);
    const plain = forecastSeries({ frequency: 'daily', values }, { horizon: HORIZON });
    if (!plain.ok) throw new Error('refused');
    const { treatments: others, ...without } = plain.result;
    const [tested, ...rest] = treatments;
    expect(tested).to.include({ kind: 'holidays', scale: null });
    expect(tested).to.deep.include({ effects: [] });
    expect(rest).to.deep.equal(others);
    expect(JSON.stringify(result)).to.equal(JSON.stringify(without));
  });

  it('are not chosen in other series without effects', () => {
    for (let seed = 2; seed <= 12; seed += 1) {
      const series = { values: Float64Array.from(sales({}, seed)), period: 7 };
      const { effects, test } = chooseHolidays(
        { series, days: kinds, isKnown: () => true },
        { panel: treatmentPanel, horizon: HORIZON },
      );
      expect(effects, String(seed)).to.equal(null);
      expect(test.origins).to.equal(8);
    }
  });

  it('are absolute if a value is negative, and clip at 0 only on request', () => {
    const values = sales({}).map((value, at) => value - 1500 - (kinds[at]?.group === 'holiday' ? 900 : 0));
    const result = forecast(values);
    const { scale, effects } = treatmentOf(result);
    expect(scale).to.equal('absolute');
    for (const { day, effect } of effects)
      expect(effect / 900).to.be.closeTo(day === 'holiday' ? -1 : 0, 0.2);
    const ets = result.methods.find(({ method }) => method === 'ets')!;
    for (const error of ets.standard_errors!) expect(error).to.be.above(0);
    for (const point of forecast(values, kinds, { nonNegative: true }).points) expect(point).to.be.least(0);
  });

  it('of closing days are found although their values are 0', () => {
    const result = forecast(sales({ holiday: -1 }), kinds, { nonNegative: true });
    kinds.slice(DAYS).forEach((day, step) => {
      if (day?.group === 'holiday') expect(result.points[step]).to.be.closeTo(0, 20);
      else expect(result.points[step]).to.be.above(500);
    });
  });

  it('are not estimated from days without a value', () => {
    const closed = sales(EFFECTS).map((value, at) => (kinds[at]?.group === 'holiday' ? null : value));
    const names = treatmentOf(forecast(closed)).effects.map(({ day }) => day);
    expect(names).to.not.include('holiday');
  });

  it('at an origin do not depend on later values', () => {
    const values = Float64Array.from(sales(EFFECTS));
    const some = estimateHolidayEffects(values.slice(0, 700), kinds.slice(0, 700), known);
    const changed = values.map((value, at) => (at < 700 ? value : 9 * value));
    const again = estimateHolidayEffects(changed.slice(0, 700), kinds.slice(0, 700), known);
    expect(again!.effects).to.deep.equal(some!.effects);
  });

  it('are null without three special days', () => {
    const days = kinds.map((day, at) =>
      at === 100 || at === 200 ? (day ?? { group: 'x', name: 'y' }) : null,
    );
    expect(estimateHolidayEffects(Float64Array.from(sales({})), days, known)).to.equal(null);
    expect(
      treatmentOf(
        forecast(
          sales({}),
          kinds.map(() => null),
        ),
      ).test,
    ).to.deep.equal({
      origins: 0,
      error_without: null,
      error_with: null,
    });
  });

  it('that are removed from values are those that are added to forecasts, in any unit', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 50 }), fc.integer({ min: -10, max: 10 }), (seed, power) => {
        const values = Float64Array.from(sales(EFFECTS, seed), (value) => value * 2 ** power);
        const effects = estimateHolidayEffects(values, kinds.slice(0, DAYS), known)!;
        const usual = usualValues(values, kinds, known);
        const plain = withoutEffects(values, kinds, { effects, usual });
        const raised = withEffects(usual, kinds, effects);
        values.forEach((value, at) =>
          expect(value - plain[at]!).to.be.closeTo(raised[at]! - usual[at]!, 1e-9 * value),
        );
      }),
      { numRuns: 20 },
    );
  });

  it('are refused for a series that is not daily, and for kinds of another number of days', () => {
    const refusal = (frequency: 'daily' | 'weekly', days: typeof kinds) => {
      const outcome = forecastSeries(
        { frequency, values: sales({}).slice(0, 60) },
        { horizon: 4, holidays: { calendars: ['DE'], days } },
      );
      return outcome.ok ? undefined : outcome.refusal;
    };
    expect(refusal('weekly', kinds.slice(0, 64))).to.deep.equal({
      code: 'holidays_not_applicable',
      reason: 'not_daily',
    });
    expect(refusal('daily', kinds.slice(0, 63))).to.deep.equal({
      code: 'holidays_not_applicable',
      reason: 'wrong_length',
    });
  });
});
