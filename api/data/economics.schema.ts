import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, IsoDate, Nullable, Uid } from '#lib/core/schema.ts';
import { economicFrequencies } from '#lib/data/economic-series.ts';

/** A decimal number, exactly as imported. */
export const Decimal = Type.String({
  pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$',
  maxLength: 40,
  description: 'Decimal number, exactly as imported.',
  examples: ['22679.255'],
});

const text = (description: string, example: string, maxLength = 200) =>
  Nullable(Type.String({ minLength: 1, maxLength, examples: [example] }), description);

const members = {
  key: Type.String({ maxLength: 64, description: 'The key of the series.', examples: ['GDPC1'] }),
  title: text(
    'The title of the series, which names the measured quantity; null if no import provided a title.',
    'Real gross domestic product',
  ),
  frequency: Nullable(
    Type.Enum([...economicFrequencies]),
    'The frequency of observation; null if no import provided it.',
  ),
  unit: text('The unit of the values; null if no import provided it.', 'billions of chained dollars'),
  seasonal_adjustment: text(
    'The method of seasonal adjustment; null if no import provided it.',
    'seasonally adjusted',
  ),
  source: text('The origin of the values; null if no import provided it.', 'FRED'),
  licence: text('The licence of the values; null if no import provided it.', 'ODC-PDDL-1.0'),
  dataset: Uid(prefixes.dataset, 'The dataset that the series is read from.'),
  dataset_name: Type.String({
    maxLength: 64,
    description: 'The name of the dataset.',
    examples: ['economics'],
  }),
  dataset_owner: Type.Enum(['workspace', 'platform'], {
    description:
      'The owner of the dataset. A dataset of the workspace takes precedence over one of the platform.',
  }),
};

export const EconomicSeriesSummary = Closed(members, {
  title: 'EconomicSeriesSummary',
  description: 'The description of an economic series.',
});

export const EconomicSeriesResource = Closed(
  {
    ...members,
    first_observed_on: Nullable(IsoDate, 'The first day that has a value.'),
    last_observed_on: Nullable(IsoDate, 'The last day that has a value.'),
    observations: Type.Integer({
      minimum: 0,
      description: 'The number of days that have a value.',
      examples: [264],
    }),
  },
  { title: 'EconomicSeries', description: 'An economic series and the days it covers.' },
);

export const EconomicObservationResource = Closed(
  {
    observed_on: Type.String({
      format: 'date',
      description: 'The day that the value describes.',
      examples: ['2023-10-01'],
    }),
    value: Nullable(
      Decimal,
      'The value, exactly as imported; null if this vintage withdraws the observation.',
    ),
    known_at: InstantOf('When the value became known.'),
    known_at_basis: Type.Enum(['stated', 'assumed', 'imported'], {
      description:
        'How `known_at` was determined: `stated` in the file, `assumed` to be the end of the observed day, ' +
        'or the time at which the value was `imported`.',
    }),
    superseded: Type.Boolean({ description: 'Whether a later vintage was known by the `as_of` day.' }),
  },
  { title: 'EconomicObservation', description: 'A value of a series and the time it became known.' },
);

export type EconomicObservationResource = Static<typeof EconomicObservationResource>;
