import Type from 'typebox';
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
