import Type, { type Static } from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';

const Count = (description: string) => Type.Integer({ minimum: 0, description });
const MaybeNumber = (description: string) => Nullable(Type.Number(), description);

/** Returns the schema of the profile of a column's values. */
export const Profile = (description: string) =>
  Closed(
    {
      rows: Count('Number of rows.'),
      missing: Count('Number of rows without a value.'),
      mean: MaybeNumber('Mean. Null without values.'),
      standard_deviation: MaybeNumber('Population standard deviation. Null without values.'),
      minimum: MaybeNumber('The smallest value.'),
      maximum: MaybeNumber('The largest value.'),
      quantiles: Closed(
        {
          p05: MaybeNumber('Value below which 5 % of the values lie.'),
          p25: MaybeNumber('Value below which 25 % of the values lie.'),
          p50: MaybeNumber('The median.'),
          p75: MaybeNumber('Value below which 75 % of the values lie.'),
          p95: MaybeNumber('Value below which 95 % of the values lie.'),
        },
        { description: 'Quantiles (type 7). Null without values.' },
      ),
    },
    { description },
  );

const ColumnProfile = Closed(
  {
    column: Type.String({ description: 'Name of the column.' }),
    ...Profile('').properties,
    decile_edges: Type.Array(Type.Number(), {
      maxItems: 9,
      description: 'Decile edges for the population stability index. Equal edges are merged.',
    }),
  },
  { description: 'Profile of a column in the fitted rows.' },
);
export type ColumnProfile = Static<typeof ColumnProfile>;

/** Profiles of the training columns, as a checkpoint stores them. */
export const ColumnProfiles = Type.Optional(
  Type.Array(ColumnProfile, {
    maxItems: 50,
    description: 'The column profiles, in order. Checkpoints of earlier versions have none.',
  }),
);
