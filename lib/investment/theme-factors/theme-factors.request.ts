import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';

/** The resolved request, every member present: it stands in the sealed result. */
export const ThemeFactorsRequest = Closed(
  {
    as_of_date: Type.String({
      format: 'date',
      description:
        'Only what was known at the end of this day (UTC) is used: the taxonomy version in force, the prices up to the last calendar month that ends on or before it. Left out, it is the last month end that the newest prices of the entitled data fully cover.',
      examples: ['2020-09-30'],
    }),
    history_months: Type.Integer({
      minimum: 12,
      maximum: 240,
      default: 36,
      description: 'Months of returns, ending with the last complete month; one more month is the base.',
      examples: [60],
    }),
    ridge_lambda: Type.Number({
      minimum: 1e-6,
      maximum: 100,
      default: 0.1,
      description:
        'Penalty on the factor returns, relative to the variance of the exposures: free of units, of the number of symbols and of the scale of the exposures. The market intercept is not penalised.',
      examples: [0.1],
    }),
    minimum_symbols_per_factor: Type.Integer({
      minimum: 2,
      maximum: 1000,
      default: 10,
      description:
        'Symbols with an exposure above 0 that a theme needs to be a factor, in the universe and again in each month.',
      examples: [10],
    }),
    max_factors: Type.Integer({
      minimum: 1,
      maximum: 60,
      default: 24,
      description: 'Most factors; the themes with the most symbols are kept.',
      examples: [24],
    }),
    max_symbols: Type.Integer({
      minimum: 10,
      maximum: 5000,
      default: 500,
      description:
        'Most symbols; those with the longest history, then with the greatest exposures, are kept.',
      examples: [500],
    }),
  },
  { title: 'ThemeFactorsInput', description: 'Request of a theme factor run with every default filled in.' },
);

/** The body of the request: what is left out takes its default. */
export const ThemeFactorsRequestBody = Type.Partial(ThemeFactorsRequest, {
  additionalProperties: false,
  title: 'ThemeFactorsRequest',
  description: 'Request of a theme factor run; what is left out takes its default.',
});

export type ThemeFactorsRequest = Static<typeof ThemeFactorsRequest>;
export type ThemeFactorsRequestBody = Static<typeof ThemeFactorsRequestBody>;
