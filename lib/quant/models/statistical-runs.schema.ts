import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import { periodFrequencies } from '#lib/data/period.ts';
import { HORIZON_MAX, LEVELS_MAX, OBSERVATIONS_MAX, VALUE_MAX } from '#lib/forecasting/engine/limits.ts';
import { methodCatalogue } from '#lib/forecasting/engine/method-catalogue.ts';
import { CompanyId, ForecastInput, forecastOptions, MetricName } from '#lib/forecasting/forecasts.schema.ts';
import { RunVersion } from './run-version.schema.ts';

const MethodKey = Type.Enum(
  methodCatalogue.map(({ key }) => key),
  { description: 'Key of the statistical method.', examples: ['ets'] },
);
const Frequency = Type.Enum([...periodFrequencies], {
  description:
    'Frequency of the series. Required with `values`. With `metric`, longer periods are aggregated; default: the observed frequency.',
});
const Values = Type.Array(Nullable(Type.Number({ minimum: -VALUE_MAX, maximum: VALUE_MAX })), {
  minItems: 1,
  maxItems: OBSERVATIONS_MAX,
  description: 'The values of consecutive periods, oldest first. Null marks a missing value.',
});
const Start = Type.String({
  minLength: 4,
  maxLength: 10,
  description:
    'The first period, in the form of its frequency: `2024`, `2024-Q1`, `2024-03`, `2024-W05` or a date. Required with `values`.',
  examples: ['2020-01'],
});
const Horizon = Type.Integer({
  minimum: 1,
  maximum: HORIZON_MAX,
  description: 'Number of periods to forecast. The series must have at least `horizon` + 4 known values.',
  examples: [6],
});

/** The values of the example: two years of a growing series with a season. */
const EXAMPLE = Array.from({ length: 24 }, (_, at) => 100 + 2 * at + [8, 3, -4, -7, -3, 3][at % 6]!);

export const StatisticalModelInput = Closed(
  {
    series: Closed(
      {
        metric: Type.Optional(MetricName),
        company_id: Type.Optional(CompanyId),
        values: Type.Optional(Values),
        start: Type.Optional(Start),
        frequency: Type.Optional(Frequency),
      },
      { description: 'The series: either a metric, or values with their first period and frequency.' },
    ),
    horizon: Horizon,
    levels: Type.Optional(
      Type.Array(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 100 }), {
        minItems: 1,
        maxItems: LEVELS_MAX,
        description: 'Interval levels in per cent. Default: 50, 80 and 95.',
        examples: [[80, 95]],
      }),
    ),
    non_negative: Type.Optional(
      Type.Boolean({
        description:
          'Whether point forecasts and interval bounds below 0 are set to 0. Default: true for metrics that cannot be below 0, otherwise false.',
      }),
    ),
    calendar: forecastOptions.calendar,
  },
  {
    title: 'StatisticalModelInput',
    description: 'A series and the horizon to forecast.',
    examples: [{ series: { values: EXAMPLE, start: '2022-01', frequency: 'monthly' }, horizon: 6 }],
  },
);
export type StatisticalModelInput = Static<typeof StatisticalModelInput>;

export const StatisticalRunRequest = Closed({
  model: MethodKey,
  version: Type.Optional(RunVersion),
  input: StatisticalModelInput,
});

export const StatisticalRunInput = Closed(
  {
    model_key: MethodKey,
    metric: Nullable(MetricName, 'The metric of the series; null if the request contains the values.'),
    company_id: ForecastInput.properties.company_id,
    series: Nullable(
      Closed(
        { start: Start, values: Values },
        { description: 'The first period and the values of consecutive periods.' },
      ),
      'The values of the request; null for a metric.',
    ),
    frequency: ForecastInput.properties.frequency,
    as_of: Nullable(
      ForecastInput.properties.as_of,
      'Time of submission for a metric: only data known at that time is used. Null for values of the request.',
    ),
    horizon: Horizon,
    levels: ForecastInput.properties.levels,
    non_negative: ForecastInput.properties.non_negative,
    calendar: ForecastInput.properties.calendar,
  },
  { title: 'StatisticalRunInput', description: 'The request with every default filled in.' },
);
export type StatisticalRunInput = Static<typeof StatisticalRunInput>;
