import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';

/** The resolved request, with every member present. It is part of the sealed result. */
export const ThemeFactorsRequest = Closed(
  {
    as_of_date: Type.String({
      format: 'date',
      description:
        'As-of date. The run uses only data known at the end of this day (UTC): the taxonomy version in force, and prices up to the last calendar month that ends on or before the as-of date. Default: the last month end that the newest prices of the entitled data fully cover.',
      examples: ['2020-09-30'],
    }),
    history_months: Type.Integer({
      minimum: 12,
      maximum: 240,
      default: 36,
      description:
        'Number of monthly returns, ending with the last complete month. One more month of prices is read as the base.',
      examples: [60],
    }),
    ridge_lambda: Type.Number({
      minimum: 1e-6,
      maximum: 100,
      default: 0.1,
      description:
        'Ridge penalty on the factor returns, relative to the variance of the exposures. It has no unit and does not depend on the number of symbols or the scale of the exposures. The market intercept is not penalised.',
      examples: [0.1],
    }),
    minimum_symbols_per_factor: Type.Integer({
      minimum: 2,
      maximum: 1000,
      default: 10,
      description:
        'Minimum number of symbols with an exposure above 0. A theme needs this number in the universe to be a factor, and in a month for the factor to be active in that month.',
      examples: [10],
    }),
    max_factors: Type.Integer({
      minimum: 1,
      maximum: 60,
      default: 24,
      description: 'Maximum number of factors. The themes with the most symbols are kept.',
      examples: [24],
    }),
    max_symbols: Type.Integer({
      minimum: 10,
      maximum: 5000,
      default: 500,
      description:
        'Maximum number of symbols. Symbols with the longest history are kept; ties go to the largest exposures.',
      examples: [500],
    }),
  },
  { title: 'ThemeFactorsInput', description: 'Request of a theme factor run with every default filled in.' },
);

/** The body of the request. Omitted members take their defaults. */
export const ThemeFactorsRequestBody = Type.Partial(ThemeFactorsRequest, {
  additionalProperties: false,
  title: 'ThemeFactorsRequest',
  description: 'Request of a theme factor run. Omitted members take their defaults.',
});

export type ThemeFactorsRequest = Static<typeof ThemeFactorsRequest>;
export type ThemeFactorsRequestBody = Static<typeof ThemeFactorsRequestBody>;
