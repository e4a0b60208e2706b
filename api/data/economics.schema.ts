import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, IsoDate, Nullable, Uid } from '#lib/core/schema.ts';
import { economicFrequencies } from '#lib/data/economic-series.ts';

/** A decimal as it was imported, digit by digit. */
export const Decimal = Type.String({
  pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]+)?$',
  maxLength: 40,
  description: 'Decimal number as it was imported.',
  examples: ['22679.255'],
});

const text = (description: string, example: string, maxLength = 200) =>
  Nullable(Type.String({ minLength: 1, maxLength, examples: [example] }), description);

const members = {
  key: Type.String({ maxLength: 64, description: 'What the series is called.', examples: ['GDPC1'] }),
  title: text('What is measured; null where no import said it.', 'Real gross domestic product'),
  frequency: Nullable(
    Type.Enum([...economicFrequencies]),
    'How often it is observed; null where no import said it.',
  ),
  unit: text('Unit of the values; null where no import said it.', 'billions of chained dollars'),
  seasonal_adjustment: text(
    'How seasons are taken out; null where no import said it.',
    'seasonally adjusted',
  ),
  source: text('Where the values come from; null where no import said it.', 'FRED'),
  licence: text('Terms of use; null where no import said it.', 'ODC-PDDL-1.0'),
  dataset: Uid(prefixes.dataset, 'The dataset that answers for the series.'),
  dataset_name: Type.String({ maxLength: 64, description: 'Its name.', examples: ['economics'] }),
  dataset_owner: Type.Enum(['workspace', 'platform'], {
    description: "Whose it is. A workspace's own dataset comes before the platform's.",
  }),
};

export const EconomicSeriesSummary = Closed(members, {
  title: 'EconomicSeriesSummary',
  description: 'An economic series as it was described.',
});

export const EconomicSeriesResource = Closed(
  {
    ...members,
    first_observed_on: Nullable(IsoDate, 'The first day with a value.'),
    last_observed_on: Nullable(IsoDate, 'The last day with a value.'),
    observations: Type.Integer({ minimum: 0, description: 'Days that have a value.', examples: [264] }),
  },
  { title: 'EconomicSeries', description: 'An economic series, and which days it covered.' },
);

export const EconomicObservationResource = Closed(
  {
    observed_on: Type.String({
      format: 'date',
      description: 'What the value is about.',
      examples: ['2023-10-01'],
    }),
    value: Nullable(
      Decimal,
      'The value as it was imported; null where this vintage takes the observation back.',
    ),
    known_at: InstantOf('When it was known.'),
    known_at_basis: Type.Enum(['stated', 'assumed', 'imported'], {
      description: 'Whether the file said when it was known, or the end of its day or the import counts.',
    }),
    superseded: Type.Boolean({ description: 'Whether a later vintage was known by the day asked about.' }),
  },
  { title: 'EconomicObservation', description: 'A value of a series, and when it was known.' },
);

export type EconomicObservationResource = Static<typeof EconomicObservationResource>;
