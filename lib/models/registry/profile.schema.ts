import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const MaybeNumber = (description: string) => Nullable(Type.Number(), description);

/** What the values of a column are like. */
export const Profile = (description: string) =>
  Closed(
    {
      rows: Count('Rows.'),
      missing: Count('Rows without a value.'),
      mean: MaybeNumber('Mean. Null without values.'),
      standard_deviation: MaybeNumber('Population standard deviation. Null without values.'),
      minimum: MaybeNumber('The smallest value.'),
      maximum: MaybeNumber('The largest value.'),
      quantiles: Closed(
        {
          p05: MaybeNumber('5 % of the values are below.'),
          p25: MaybeNumber('25 %.'),
          p50: MaybeNumber('The median.'),
          p75: MaybeNumber('75 %.'),
          p95: MaybeNumber('95 %.'),
        },
        { description: 'Quantiles of type 7. Null without values.' },
      ),
    },
    { description },
  );

const ColumnProfile = Closed(
  {
    column: Type.String({ description: 'The column.' }),
    ...Profile('').properties,
    decile_edges: Type.Array(Type.Number(), {
      maxItems: 9,
      description: 'Edges of the tenths that the stability index counts in; those that coincide are one.',
    }),
  },
  { description: 'What a column is like in the rows that were fitted.' },
);
export type ColumnProfile = Static<typeof ColumnProfile>;

/** What a checkpoint keeps of the columns that it was fitted to. */
export const ColumnProfiles = Type.Optional(
  Type.Array(ColumnProfile, {
    maxItems: 50,
    description: 'The columns in their order. Checkpoints of earlier versions have none.',
  }),
);
