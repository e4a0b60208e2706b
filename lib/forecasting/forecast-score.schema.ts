import Type from 'typebox';
import { Closed, InstantOf, Nullable } from '#lib/core/schema.ts';
import { HORIZON_MAX, LEVELS_MAX } from './engine/limits.ts';

const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: HORIZON_MAX, description, examples: [4] });
const Size = (description: string) => Type.Number({ minimum: 0, description, examples: [1.5] });

/** Accuracy of a forecast, in the form of the API. */
export const ForecastAccuracy = Closed(
  {
    periods: Count('Number of periods of the horizon that have a value now.'),
    of: Count('Number of periods in the horizon.'),
    last_period: Type.String({ description: 'The last period that was compared.', examples: ['2025-Q1'] }),
    mae: Size('Mean absolute error, in the unit of the metric.'),
    smape: Size('Symmetric mean absolute percentage error, 0 to 200.'),
    mase: Nullable(
      Size('The ratio.'),
      'Mean absolute error divided by the in-sample error of the seasonal naive method.',
    ),
    coverage: Type.Array(
      Closed(
        {
          level: Type.Number({ description: 'Level of the interval, per cent.', examples: [95] }),
          inside: Count('Number of values within the interval.'),
          of: Count('Number of values compared.'),
          share: Type.Number({
            minimum: 0,
            maximum: 100,
            description: 'Share of values within the interval, per cent.',
            examples: [100],
          }),
        },
        { description: 'Coverage of one interval.' },
      ),
      { maxItems: LEVELS_MAX, description: 'Coverage per interval level, in ascending order of level.' },
    ),
    scored_at: InstantOf('Time of the last comparison.'),
  },
  {
    title: 'ForecastAccuracy',
    description: 'Accuracy of a forecast over the periods that are known so far.',
  },
);
