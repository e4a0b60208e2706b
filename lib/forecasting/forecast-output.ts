import { monthOf } from '#lib/core/date.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { laterPeriod } from '#lib/data/period-steps.ts';
import { periodName } from '#lib/data/period.ts';
import { businessDays, type DayCalendar } from './calendar/day-calendar.ts';
import type { HolidayCalendar } from './calendar/holidays.ts';
import { specialDays } from './calendar/special-days.ts';
import type { SpecialDays } from './engine/holiday-effects.ts';
import type { ForecastResult } from './engine/forecast-result.schema.ts';
import type { CalendarDays, ForecastOptions, ObservedSeries } from './engine/forecast-series.types.ts';
import { OBSERVATIONS_MAX } from './engine/limits.ts';
import type { ForecastHistory, ForecastInput } from './forecasts.schema.ts';
import { newestPeriods, periodGrid, periodNames, type PeriodGrid } from './series/period-grid.ts';
import type { MetricValues } from './series/metric-series.query.ts';

/**
 * The newest periods of a metric, with their values. `leftOut` is the number of earlier periods, which are
 * not used.
 */
export type ReadSeries = { grid: PeriodGrid; leftOut: number };

/**
 * Returns the newest periods of the observed values, at most as many as a forecast can use. There must be at least one
 * value.
 */
export function readSeries({ frequency, observed }: MetricValues): ReadSeries {
  const whole = periodGrid(frequency, observed);
  if (!whole) throw new Error('an observed metric must have values');
  // A series must not begin with a period without a value, so the leading periods without a value are left
  // out.
  const newest = newestPeriods(whole, OBSERVATIONS_MAX);
  const missing = newest.values.findIndex((value) => value !== null);
  const grid = newestPeriods(newest, newest.values.length - missing);
  return { grid, leftOut: whole.values.length - grid.values.length };
}

/** Converts a request and the values of its metric to the input of the forecast engine. */
export function engineQuestion(
  input: ForecastInput,
  { grid }: ReadSeries,
): { series: ObservedSeries; options: ForecastOptions } {
  const { horizon, method, levels, non_negative: nonNegative, calendar, holidays } = input;
  const days = calendar && grid.frequency === 'monthly' ? monthDays(calendar, grid, horizon) : undefined;
  return {
    series: { frequency: grid.frequency, values: grid.values },
    options: {
      horizon,
      method,
      levels,
      nonNegative,
      // The engine applies a calendar only to a monthly series. If a calendar is requested for another series, the
      // calendar is passed without days, and the engine refuses the request.
      ...(calendar ? { calendar: days ?? { name: calendar, days: [] } } : {}),
      // Likewise, the engine refuses holidays for a series that is not daily.
      ...(holidays && { holidays: { calendars: holidays, days: daysOf(holidays, grid, horizon) } }),
    },
  };
}

function daysOf(calendars: readonly HolidayCalendar[], grid: PeriodGrid, horizon: number): SpecialDays {
  if (grid.frequency !== 'daily') return [];
  return specialDays(calendars, grid.first, grid.values.length + horizon);
}

function monthDays(calendar: DayCalendar, { first, values }: PeriodGrid, horizon: number): CalendarDays {
  return { name: calendar, days: businessDays(calendar, monthOf(first), values.length + horizon) };
}

/** Returns the members that a forecast adds to its run. */
export function forecastOutput(result: ForecastResult, { unit, currency }: MetricValues, read: ReadSeries) {
  const { frequency, first, values } = read.grid;
  const lastDay = laterPeriod(frequency, first, values.length - 1);
  const names = periodNames(frequency, first, values.length);
  const history: ForecastHistory = names.map((period, at) => ({ period, value: values[at]! }));
  return {
    output: {
      input_data: { observations_sha256: canonicalHash(history) },
      result: {
        ...result,
        series: {
          frequency,
          first_period: periodName({ frequency, lastDay: first }),
          last_period: periodName({ frequency, lastDay }),
          periods: values.length,
          missing: values.filter((value) => value === null).length,
          left_out: read.leftOut,
          unit,
          currency,
        },
        periods: periodNames(frequency, laterPeriod(frequency, lastDay, 1), result.horizon),
      },
    },
    attachments: { history },
  };
}
