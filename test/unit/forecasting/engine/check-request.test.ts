import { expect } from 'chai';
import { checkRequest, observationsNeeded } from '#lib/forecasting/engine/check-request.ts';
import type { ForecastOptions, Frequency } from '#lib/forecasting/engine/forecast-series.types.ts';

const ramp = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

function refusalOf(
  values: (number | null)[],
  options: Partial<ForecastOptions> = {},
  frequency: Frequency = 'monthly',
) {
  const checked = checkRequest({ frequency, values }, { horizon: 3, ...options });
  return checked.ok ? undefined : checked.refusal;
}

describe('the rejection of a forecast request', () => {
  it('applies to a history of fewer than eight values, for any horizon', () => {
    expect(refusalOf(ramp(7))).to.deep.equal({ code: 'insufficient_history', observed: 7, needed: 8 });
    expect(refusalOf(ramp(8))).to.equal(undefined);
  });

  it('applies to a history with fewer values than the horizon plus four', () => {
    expect(observationsNeeded(18)).to.equal(22);
    const refusal = { code: 'insufficient_history', observed: 21, needed: 22 };
    expect(refusalOf(ramp(21), { horizon: 18 })).to.deep.equal(refusal);
    expect(refusalOf(ramp(22), { horizon: 18 })).to.equal(undefined);
  });

  it('applies to an empty history', () => {
    const refusal = { code: 'insufficient_history', observed: 0, needed: 8 };
    expect(refusalOf([])).to.deep.equal(refusal);
    expect(refusalOf([null, null])).to.deep.equal(refusal);
  });

  it('depends on the number of observed values, not of periods', () => {
    const values = [...ramp(7), null, 9];
    expect(refusalOf(values)).to.equal(undefined);
    expect(refusalOf([null, null, ...ramp(7), null])).to.include({ observed: 7 });
  });

  it('applies to a history of more than 2,000 periods', () => {
    expect(refusalOf(ramp(2_001))).to.deep.equal({ code: 'history_too_long', observed: 2_001, max: 2_000 });
    expect(refusalOf(ramp(2_000))).to.equal(undefined);
  });

  it('applies to a horizon that is not a whole number from 1 to 60', () => {
    for (const horizon of [0, -1, 61, 1.5, Number.NaN, Infinity]) {
      expect(refusalOf(ramp(100), { horizon }), String(horizon)).to.include({
        code: 'horizon_out_of_bounds',
      });
    }
    expect(refusalOf(ramp(100), { horizon: 60 })).to.equal(undefined);
  });

  it('applies to a series of which more than a fifth of the periods have no value', () => {
    const withGaps = (gaps: number) => ramp(20).map((value, at) => (at > 0 && at <= gaps ? null : value));
    expect(refusalOf(withGaps(4))).to.equal(undefined);
    expect(refusalOf(withGaps(5))).to.deep.equal({
      code: 'too_many_gaps',
      missing: 5,
      periods: 20,
      max: 4,
    });
  });

  it('applies to a value that is not finite, and states its position', () => {
    expect(refusalOf([...ramp(9), Number.NaN, Infinity])).to.deep.equal({ code: 'non_finite_value', at: 9 });
    expect(refusalOf([-Infinity, ...ramp(9)])).to.deep.equal({ code: 'non_finite_value', at: 0 });
  });

  it('applies to a level outside 0 to 100 per cent and to more than ten levels', () => {
    for (const level of [0, 100, -5, 120, Number.NaN]) {
      expect(refusalOf(ramp(20), { levels: [50, level] }), String(level)).to.include({
        code: 'level_out_of_bounds',
      });
    }
    expect(refusalOf(ramp(20), { levels: ramp(11) })).to.include({ code: 'too_many_levels' });
  });

  it('applies to a calendar if the series is not monthly, the length is wrong or a month has no days', () => {
    const calendar = (days: number[]) => ({ calendar: { name: 'working_days', days } });
    const days = ramp(23).map(() => 21);
    expect(refusalOf(ramp(20), calendar(days))).to.equal(undefined);
    expect(refusalOf(ramp(20), calendar(days), 'quarterly')).to.include({ reason: 'not_monthly' });
    expect(refusalOf(ramp(20), calendar(days.slice(1)))).to.include({ reason: 'wrong_length' });
    expect(refusalOf(ramp(20), calendar([0, ...days.slice(1)]))).to.include({ reason: 'no_days' });
  });

  it('does not apply if only periods at the ends of the series are missing', () => {
    const checked = checkRequest({ frequency: 'monthly', values: [null, ...ramp(9), null] }, { horizon: 1 });
    expect(checked).to.deep.equal({ ok: true, observed: { start: 1, values: ramp(9) } });
  });
});
