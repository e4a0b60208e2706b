import { monthOf } from '#lib/core/date.ts';
import { canonicalHash } from '#lib/core/seal.ts';
import { laterPeriod } from '#lib/data/period-steps.ts';
import { periodName } from '#lib/data/period.ts';
import { businessDays, type DayCalendar } from './calendar/day-calendar.ts';
import type { ForecastResult } from './engine/forecast-result.schema.ts';
import type { CalendarDays, ForecastOptions, ObservedSeries } from './engine/forecast-series.types.ts';
import { OBSERVATIONS_MAX } from './engine/limits.ts';
import type { ForecastHistory, ForecastInput } from './forecasts.schema.ts';
import { newestPeriods, periodGrid, periodNames, type PeriodGrid } from './series/period-grid.ts';
import type { MetricValues } from './series/metric-series.query.ts';

/** What is read of a metric: its newest periods, and how many earlier ones are left out. */
export type ReadSeries = { grid: PeriodGrid; leftOut: number };

/** The newest periods of what was observed, as many as a forecast takes. There is at least one value. */
export function readSeries({ frequency, observed }: MetricValues): ReadSeries {
  const whole = periodGrid(frequency, observed);
  if (!whole) throw new Error('a metric that is observed has values');
  // A first period without a value is no beginning of a series.
  const newest = newestPeriods(whole, OBSERVATIONS_MAX);
  const missing = newest.values.findIndex((value) => value !== null);
  const grid = newestPeriods(newest, newest.values.length - missing);
  return { grid, leftOut: whole.values.length - grid.values.length };
}

/** What the engine is asked, of a request and what was read for it. */
export function engineQuestion(
  input: ForecastInput,
  { grid }: ReadSeries,
): { series: ObservedSeries; options: ForecastOptions } {
  const { horizon, method, levels, non_negative: nonNegative, calendar } = input;
  const days = calendar && grid.frequency === 'monthly' ? monthDays(calendar, grid, horizon) : undefined;
  return {
    series: { frequency: grid.frequency, values: grid.values },
    options: {
      horizon,
      method,
      levels,
      nonNegative,
      // Without days the engine says that it adjusts no other series than monthly ones.
      ...(calendar ? { calendar: days ?? { name: calendar, days: [] } } : {}),
    },
  };
}

function monthDays(calendar: DayCalendar, { first, values }: PeriodGrid, horizon: number): CalendarDays {
  return { name: calendar, days: businessDays(calendar, monthOf(first), values.length + horizon) };
}

/** What a forecast adds to its run. */
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
