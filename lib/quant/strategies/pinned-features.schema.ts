import Type from 'typebox';
import { Closed } from '#lib/core/schema.ts';
import { Count } from '#lib/investment/risk/risk-members.schema.ts';

/** The features of a strategy, as a run seals them. */
export const PinnedFeatures = Type.Array(
  Closed(
    {
      signal: Type.String({ description: 'Name of the signal.', examples: ['momentum'] }),
      version_id: Type.Integer({
        minimum: 1,
        description: 'Internal key of the version of the feature.',
      }),
      revision: Count('Last revision of the values when the run was submitted.'),
      max_age_days: Count('Age in days from which a value is not used.'),
    },
    { description: 'A feature.' },
  ),
  { maxItems: 50, description: 'The features that signals read, with their pinned revisions.' },
);
