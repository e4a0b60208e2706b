import Type from 'typebox';
import { Closed, InstantOf, Nullable } from '#lib/core/schema.ts';
import { HORIZON_MAX, LEVELS_MAX } from './engine/limits.ts';

const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: HORIZON_MAX, description, examples: [4] });
const Size = (description: string) => Type.Number({ minimum: 0, description, examples: [1.5] });

/** How a forecast came out, on the wire. */
export const ForecastAccuracy = Closed(
  {
    periods: Count('Periods of the horizon that have a value by now.'),
    of: Count('Periods of the horizon.'),
    last_period: Type.String({ description: 'The last period that counts.', examples: ['2025-Q1'] }),
    mae: Size('Mean absolute error, in the unit of the metric.'),
    smape: Size('Symmetric mean absolute percentage error, 0 to 200.'),
    mase: Nullable(
      Size('A ratio.'),
      'Mean absolute error over that of the seasonal naive method in the history.',
    ),
    coverage: Type.Array(
      Closed(
        {
          level: Type.Number({ description: 'Of the interval, per cent.', examples: [95] }),
          inside: Count('Values within the interval.'),
          of: Count('Values.'),
          share: Type.Number({ minimum: 0, maximum: 100, description: 'Per cent within.', examples: [100] }),
        },
        { description: 'One interval.' },
      ),
      { maxItems: LEVELS_MAX, description: 'By level, ascending.' },
    ),
    scored_at: InstantOf('When it was last compared.'),
  },
  { title: 'ForecastAccuracy', description: 'How a forecast came out, as far as it is known.' },
);
