import Type, { type Static } from 'typebox';
import { Closed, InstantOf, Line, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { periodFrequencies } from '#lib/data/period.ts';
import { dayCalendars } from './calendar/day-calendar.ts';
import { ForecastResult } from './engine/forecast-result.schema.ts';
import { LEVELS_MAX, OBSERVATIONS_MAX } from './engine/limits.ts';
import { COMBINATION, methodKeys } from './engine/method-catalogue.ts';

export const MetricName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '^[A-Za-z][A-Za-z0-9._-]*$',
  description:
    'A metric of companies, of the catalogue or defined by the workspace; `economics.<series>`; or ' +
    '`ledger.<net_cash_flow|inflow|outflow|balance>.<currency>`.',
  examples: ['economics.GDPC1'],
});
export const CompanyId = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Whose metric; left out of metrics `economics.*` and `ledger.*`.',
});
const Horizon = Type.Integer({
  minimum: -2_147_483_648,
  maximum: 2_147_483_647,
  description: 'How many periods of the series ahead, 1 to 60. It needs four values more than that.',
  examples: [8],
});
const Reason = Line(500, 'Why it is asked for. Kept on record.', 'Budget 2027');

export const ForecastRequest = Closed(
  {
    metric: MetricName,
    company_id: Type.Optional(CompanyId),
    horizon: Horizon,
    reason: Type.Optional(Reason),
  },
  {
    title: 'ForecastRequest',
    description: 'What is to be forecast.',
    examples: [{ metric: 'economics.GDPC1', horizon: 8, reason: 'Budget 2027' }],
  },
);

export const Frequency = Type.Enum([...periodFrequencies], {
  description: 'Period of the series. Longer ones are made of shorter ones.',
});
const Method = Type.Enum([...methodKeys], {
  default: COMBINATION,
  description: 'One method instead of the combination of all.',
});
const Calendar = Type.Enum([...dayCalendars], {
  description: 'Adjusts a monthly series for the working days of its months.',
});

const LEVEL = '\\d{1,2}(\\.\\d{1,3})?';

/** Query parameters: the body is fixed by the interface. */
export const forecastOptions = {
  method: Type.Optional(Method),
  levels: Type.Optional(
    Type.String({
      pattern: `^${LEVEL}(,${LEVEL}){0,${LEVELS_MAX - 1}}$`,
      default: '50,80,95',
      description: 'Levels of the intervals in per cent, by comma, each above 0 and below 100.',
      examples: ['50,80,95'],
    }),
  ),
  non_negative: Type.Optional(
    Type.Boolean({
      description: 'Points and bounds are at least 0. Default: true of metrics that cannot be below 0.',
    }),
  ),
  calendar: Type.Optional(Calendar),
  frequency: Type.Optional({
    ...Frequency,
    description:
      'Period of the series; longer ones are made of shorter ones. Default: the one it is observed in, of several ' +
      'the first of monthly, quarterly, weekly, yearly, daily; of the ledger monthly.',
  }),
};

/** Body and query of a forecast. */
export const ForecastRunRequest = Closed({ ...ForecastRequest.properties, ...forecastOptions });
export type ForecastRunRequest = Static<typeof ForecastRunRequest>;

export const ForecastInput = Closed(
  {
    metric: MetricName,
    company_id: Nullable(CompanyId, 'Whose metric; null where it is of no company.'),
    horizon: Horizon,
    reason: Nullable(Reason, 'Why it was asked for; null where nobody said.'),
    as_of: InstantOf('The moment of submission. What was not known by then has no part in it.'),
    method: Method,
    levels: Type.Array(Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 100 }), {
      minItems: 1,
      maxItems: LEVELS_MAX,
      description: 'Levels of the intervals in per cent, ascending.',
    }),
    non_negative: Type.Boolean({ description: 'Whether points and bounds are at least 0.' }),
    calendar: Nullable(Calendar, 'The calendar that monthly values are adjusted for; null for none.'),
    frequency: Nullable(Frequency, 'The period asked for; null for that of the metric.'),
  },
  { title: 'ForecastInput', description: 'The request with every default filled in.' },
);

const PeriodText = (description: string) =>
  Type.String({ minLength: 4, maxLength: 10, description, examples: ['2024-Q4'] });

const SeriesFacts = Closed(
  {
    frequency: Frequency,
    first_period: PeriodText('The first period that was read.'),
    last_period: PeriodText('The last one; the forecast begins behind it.'),
    periods: Type.Integer({ minimum: 1, description: 'Periods from the first to the last.' }),
    missing: Type.Integer({ minimum: 0, description: 'How many of them have no value.' }),
    left_out: Type.Integer({ minimum: 0, description: 'Earlier periods beyond the longest history.' }),
    unit: Nullable(
      Type.String({ description: 'Unit of the values, as `money`.' }),
      'Null where none is told.',
    ),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
      'Currency of money; null otherwise.',
    ),
  },
  { title: 'ForecastSeries', description: 'What was known of the metric.' },
);

export const ForecastOutput = Closed(
  {
    ...ForecastResult.properties,
    series: SeriesFacts,
    periods: Type.Array(PeriodText('A period of the horizon.'), {
      description: 'What the points and bounds are about, in their order.',
    }),
  },
  {
    title: 'ForecastOutput',
    description: 'The forecast, how it was made, and how well that would have done.',
  },
);

export const ForecastInputData = Closed(
  { observations_sha256: Sha256Of('SHA-256 of the RFC 8785 form of `history`.') },
  { description: 'Hash of exactly the values that were read.' },
);

export const ForecastHistory = Type.Array(
  Closed(
    {
      period: PeriodText('The period.'),
      value: Nullable(Type.Number(), 'Its value; null where it is missing.'),
    },
    { description: 'A period of the past.' },
  ),
  { maxItems: OBSERVATIONS_MAX, description: 'What was known of the metric, oldest first.' },
);

export type ForecastRequest = Static<typeof ForecastRequest>;
export type ForecastInput = Static<typeof ForecastInput>;
export type ForecastOutput = Static<typeof ForecastOutput>;
export type ForecastHistory = Static<typeof ForecastHistory>;
