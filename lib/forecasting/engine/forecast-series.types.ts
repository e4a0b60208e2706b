/** How often a metric is observed. */
export const frequencies = ['yearly', 'quarterly', 'monthly', 'weekly', 'daily', 'hourly'] as const;
export type Frequency = (typeof frequencies)[number];

/** A metric by period, oldest first, in its own unit; null (or a value left out at either end) where it is missing. */
export type ObservedSeries = { frequency: Frequency; values: readonly (number | null)[] };

/** Days of every period that count for the metric: of each value of the series, then of each period of the horizon. */
export type CalendarDays = { name: string; days: readonly number[] };

export type ForecastOptions = {
  /** Periods ahead of the last observed one. */
  horizon: number;
  /** Key of one method; default: `combination`. */
  method?: string;
  /** Intervals in per cent, above 0 and below 100; default: 50, 80, 95. */
  levels?: readonly number[];
  /** Whether the metric cannot be negative: points and bounds are clipped at 0. Default: false. */
  nonNegative?: boolean;
  /** Adjusts a monthly series for the days of its months. Default: none. */
  calendar?: CalendarDays;
};

/** Why a series is not forecast; each code with what was found and what would do. */
export type ForecastRefusal =
  | { code: 'insufficient_history'; observed: number; needed: number }
  | { code: 'history_too_long'; observed: number; max: number }
  | { code: 'horizon_out_of_bounds'; horizon: number; max: number }
  | { code: 'too_many_gaps'; missing: number; periods: number; max: number }
  /** `at`: position of the first such value in the series. */
  | { code: 'non_finite_value'; at: number }
  | { code: 'unknown_method'; method: string }
  /** The method cannot take this series, as one of negative values or without a season. */
  | { code: 'method_not_applicable'; method: string }
  | { code: 'level_out_of_bounds'; level: number }
  | { code: 'too_many_levels'; levels: number; max: number }
  | { code: 'calendar_not_applicable'; reason: 'not_monthly' | 'wrong_length' | 'no_days' };
