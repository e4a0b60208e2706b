import Type, { type Static } from 'typebox';
import { Closed, InstantOf, Line, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { periodFrequencies } from '#lib/data/period.ts';
import { dayCalendars } from './calendar/day-calendar.ts';
import { holidayCalendars } from './calendar/holidays.ts';
import { ForecastResult } from './engine/forecast-result.schema.ts';
import { LEVELS_MAX, OBSERVATIONS_MAX } from './engine/limits.ts';
import { COMBINATION, methodKeys } from './engine/method-catalogue.ts';

export const MetricName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z][A-Za-z0-9._-]*$',
  description:
    'Name of a metric: a company metric of the catalogue or of the workspace; `economics.<series>`; or ' +
    '`ledger.<net_cash_flow|inflow|outflow|balance>.<currency>`.',
  examples: ['economics.GDPC1'],
});
export const CompanyId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Id of the company of the metric. Omit it for metrics `economics.*` and `ledger.*`.',
});
const Horizon = Type.Integer({
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
  description:
    'Number of periods to forecast, 1 to 60. The series must have at least `horizon` + 4 known values.',
  examples: [8],
});
const Reason = Line(500, 'Reason for the request. It is stored with the run.', 'Budget 2027');

export const ForecastRequest = Closed(
  {
    metric: MetricName,
    company_id: Type.Optional(CompanyId),
    horizon: Horizon,
    reason: Type.Optional(Reason),
  },
  {
    title: 'ForecastRequest',
    description: 'The metric and the horizon to forecast.',
    examples: [{ metric: 'economics.GDPC1', horizon: 8, reason: 'Budget 2027' }],
  },
);

export const Frequency = Type.Enum([...periodFrequencies], {
  description: 'Frequency of the series. Longer periods are aggregated from shorter periods.',
});
const Method = Type.Enum([...methodKeys], {
  default: COMBINATION,
  description: 'Key of the only method to use. Default: the combination of all methods.',
});
const Calendar = Type.Enum([...dayCalendars], {
  description: 'Calendar that adjusts a monthly series for the working days of its months.',
});

const HOLIDAY = `(?:${holidayCalendars.join('|')})`;
const HolidayCalendars = Type.Array(
  Type.Enum([...holidayCalendars], { description: 'A calendar of holidays.' }),
  {
    minItems: 1,
    maxItems: holidayCalendars.length,
    uniqueItems: true,
    description:
      'Calendars of holidays whose effects a daily forecast can contain. Absent if none were requested.',
  },
);

const LEVEL = '\\d{1,2}(\\.\\d{1,3})?';

/**
 * Query parameters. They are not members of the body, because the published interface allows no further members in the
 * body.
 */
export const forecastOptions = {
  method: Type.Optional(Method),
  levels: Type.Optional(
    Type.String({
      pattern: `^${LEVEL}(,${LEVEL}){0,${LEVELS_MAX - 1}}$`,
      default: '50,80,95',
      description: 'Interval levels in per cent, separated by commas, each above 0 and below 100.',
      examples: ['50,80,95'],
    }),
  ),
  non_negative: Type.Optional(
    Type.Boolean({
      description:
        'Whether point forecasts and interval bounds below 0 are set to 0. Default: true for metrics that cannot be below 0.',
    }),
  ),
  calendar: Type.Optional(Calendar),
  holidays: Type.Optional(
    Type.String({
      pattern: `^${HOLIDAY}(,${HOLIDAY}){0,${holidayCalendars.length - 1}}$`,
      description:
        'Calendars of holidays for a daily series, separated by commas: public holidays of `US`, `GB` (England and Wales), `DE` or `FR`, or closing days of `target` or `nyse`. The effects of holidays and of the days before and after them are estimated on the series, and used only if they improve forecasts of its earlier holidays.',
      examples: ['US', 'DE,target'],
    }),
  ),
  frequency: Type.Optional({
    ...Frequency,
    description:
      'Frequency of the series. Longer periods are aggregated from shorter periods. Default: monthly for ledger metrics, otherwise the observed frequency. If several frequencies are observed, the first in the order monthly, quarterly, weekly, yearly, daily is used.',
  }),
};

/** Body and query of a forecast request. */
export const ForecastRunRequest = Closed({ ...ForecastRequest.properties, ...forecastOptions });
export type ForecastRunRequest = Static<typeof ForecastRunRequest>;

export const ForecastInput = Closed(
  {
    metric: MetricName,
    company_id: Nullable(CompanyId, 'Id of the company of the metric; null for a metric without a company.'),
    horizon: Horizon,
    reason: Nullable(Reason, 'Reason for the request; null if none was given.'),
    as_of: InstantOf('Time of submission. Only data known at that time is used.'),
    method: Method,
    levels: Type.Array(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 100 }), {
      minItems: 1,
      maxItems: LEVELS_MAX,
      description: 'Interval levels in per cent, ascending.',
    }),
    non_negative: Type.Boolean({
      description: 'Whether point forecasts and interval bounds below 0 are set to 0.',
    }),
    calendar: Nullable(Calendar, 'Calendar that monthly values are adjusted for; null if there is none.'),
    holidays: Type.Optional(HolidayCalendars),
    frequency: Nullable(Frequency, 'The requested frequency; null for the frequency of the metric.'),
  },
  { title: 'ForecastInput', description: 'The request with every default filled in.' },
);

const PeriodText = (description: string) =>
  Type.String({ minLength: 4, maxLength: 10, description, examples: ['2024-Q4'] });

const SeriesFacts = Closed(
  {
    frequency: Frequency,
    first_period: PeriodText('The first period read.'),
    last_period: PeriodText('The last period read. The forecast starts with the next period.'),
    periods: Type.Integer({ minimum: 1, description: 'Number of periods from the first to the last.' }),
    missing: Type.Integer({ minimum: 0, description: 'Number of periods without a value.' }),
    left_out: Type.Integer({
      minimum: 0,
      description: 'Number of earlier periods left out because of the maximum history.',
    }),
    unit: Nullable(
      Type.String({ description: 'Unit of the values, for example `money`.' }),
      'Unit of the values, for example `money`. Null if unknown.',
    ),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
      'Currency of money values; null for other units.',
    ),
  },
  { title: 'ForecastSeries', description: 'The known values of the metric.' },
);

export const ForecastOutput = Closed(
  {
    ...ForecastResult.properties,
    series: SeriesFacts,
    periods: Type.Array(PeriodText('A period of the horizon.'), {
      description: 'The periods that the points and bounds refer to, in order.',
    }),
  },
  {
    title: 'ForecastOutput',
    description: 'The forecast, its method weights, and its backtest.',
  },
);

export const ForecastInputData = Closed(
  { observations_sha256: Sha256Of('SHA-256 of the RFC 8785 form of `history`.') },
  { description: 'Hash of the values that were read.' },
);

export const ForecastHistory = Type.Array(
  Closed(
    {
      period: PeriodText('The name of the period.'),
      value: Nullable(Type.Number(), 'Value of the period; null if it is missing.'),
    },
    { description: 'A period of the history.' },
  ),
  { maxItems: OBSERVATIONS_MAX, description: 'The known values of the metric, oldest first.' },
);

export type ForecastRequest = Static<typeof ForecastRequest>;
export type ForecastInput = Static<typeof ForecastInput>;
export type ForecastOutput = Static<typeof ForecastOutput>;
export type ForecastHistory = Static<typeof ForecastHistory>;
