import Type, { type Static } from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { INFLATION, INFLATION_YEARS } from './simulation-limits.ts';

export const InflationRate = Type.Number({
  minimum: INFLATION.min,
  maximum: INFLATION.max,
  description: 'Annual inflation, a fraction.',
  examples: [0.02],
});

export const Inflation = Type.Union(
  [
    InflationRate,
    Closed(
      {
        metric: Type.String({
          pattern: '^economics\\.[A-Za-z0-9][A-Za-z0-9._-]{0,63}$',
          description: 'Key of an economic series that is a price index.',
          examples: ['economics.CPI'],
        }),
        years: Type.Optional(
          Type.Integer({
            minimum: INFLATION_YEARS.min,
            maximum: INFLATION_YEARS.max,
            description: `Number of years of the index whose mean growth is used. Default: ${INFLATION_YEARS.default}.`,
            examples: [10],
          }),
        ),
      },
      {
        title: 'InflationSeries',
        description:
          'The mean annual growth of a price index over the last `years` years of the index, as known at the end of `as_of`.',
      },
    ),
  ],
  { default: 0, description: 'Annual inflation: a fraction, or the past growth of an index of prices.' },
);
export type Inflation = Static<typeof Inflation>;
