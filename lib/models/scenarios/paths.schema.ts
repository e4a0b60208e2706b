import Type, { type Static } from 'typebox';
import { Closed, Sha256Of, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Factor, Regime, versionMembers } from '#lib/models/registry/checkpoint.schema.ts';
import { Context, Seed, WantedRegime } from './scenarios.schema.ts';
import { RegimeProbabilities, Statistics } from './scenario-result.schema.ts';

export const HORIZON = { min: 1, max: 120, default: 12 };
export const PATHS = { min: 100, max: 20_000, default: 2_000 };
/** Paths times months times factors of a run: what it holds in memory at once, in doubles. */
export const CELLS_MAX = 24_000_000;

const Start = {
  ...WantedRegime,
  description:
    'The regime of the first month: one of the model by its name, `current` for the probabilities of its last month, or ' +
    '`ergodic` for the long-run shares. Later months follow by the transitions of the model.',
};
const Horizon = Type.Integer({
  minimum: HORIZON.min,
  maximum: HORIZON.max,
  default: HORIZON.default,
  description: 'How many months a path has.',
  examples: [12],
});
const Paths = Type.Integer({
  minimum: PATHS.min,
  maximum: PATHS.max,
  default: PATHS.default,
  description: 'How many paths are drawn.',
  examples: [2_000],
});

export const PathRequestBody = Closed(
  {
    regime: Start,
    horizon: Type.Optional(Horizon),
    paths: Type.Optional({
      ...Paths,
      description: 'How many paths are drawn. Times the months and the factors it is 24,000,000 at most.',
    }),
    seed: Type.Optional({ ...Seed, description: 'The draws. One is drawn, and told, when it is left out.' }),
  },
  { title: 'PathRequest', description: 'Where paths begin, and how long they are.' },
);
export type PathRequestBody = Static<typeof PathRequestBody>;

export const PathInput = Closed(
  {
    ...versionMembers,
    training_uid: Uid(prefixes.modelTraining, 'The sealed training of the checkpoint.'),
    checkpoint_hash: Sha256Of('The checkpoint.'),
    regime: Start,
    horizon: Horizon,
    paths: Paths,
    seed: Seed,
    context: Context,
  },
  {
    title: 'PathInput',
    description: 'The request with every default filled in, and what it rests on by hash.',
  },
);
export type PathInput = Static<typeof PathInput>;

const shape = {
  mean: Type.Number({ description: 'Mean over the paths.' }),
  standard_deviation: Type.Number({ minimum: 0, description: 'Population standard deviation.' }),
  quantiles: Type.Array(Type.Number(), {
    description: 'Quantiles of type 7, at `probabilities` of the result.',
  }),
};
const Spread = (description: string) => Closed(shape, { title: 'PathSpread', description });

const Step = Closed(
  {
    month: Type.Integer({ minimum: 1, description: 'The month, from 1.', examples: [1] }),
    regimes: Type.Array(
      Closed(
        {
          regime: Regime,
          share: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the paths in it.' }),
          expected: Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'Probability by the transitions, to hold the share against.',
          }),
        },
        { description: 'How many paths are in a regime.' },
      ),
      { description: 'From the calmest on.' },
    ),
    factors: Type.Array(Closed({ factor: Factor, ...shape }, { description: 'A factor.' }), {
      description: 'Cumulative log return of each factor up to the month, in the order of the model.',
    }),
    equal_weight: Spread('Cumulative log return of the book up to the month.'),
  },
  { description: 'Where the paths are after a month.' },
);

export const PathResult = Closed(
  {
    regime_probabilities: RegimeProbabilities,
    probabilities: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
      description: 'Probabilities of the quantiles.',
      examples: [[0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]],
    }),
    steps: Type.Array(Step, { description: 'By month.' }),
    final: {
      ...Statistics,
      title: 'FinalStatistics',
      description:
        'Cumulative log return of the book over all months. The log return of the book in a month is the mean of those of ' +
        'the factors, as in scenarios.',
    },
    maximum_drawdown: Closed(
      { ...shape, deepest: Type.Number({ description: 'The deepest of all paths.' }) },
      {
        description:
          'The deepest fall of the book of a path below its highest level before, the start included, as a simple return: 0 ' +
          'or below.',
      },
    ),
    hashes: Closed(
      {
        model_hash: Sha256Of('Of the checkpoint.'),
        feature_context_hash: Sha256Of('Of the context.'),
        input_hash: Sha256Of('Of the request with every default filled in.'),
        samples_hash: Sha256Of(
          'Of the cumulative log returns: doubles, little-endian, path by path, month by month, factor by factor.',
        ),
        regimes_hash: Sha256Of('Of the regimes: a byte for each month of each path, 0 the calmest.'),
        statistics_hash: Sha256Of('Of the statistics.'),
        run_hash: Sha256Of('Of these six and the version of the recipe.'),
      },
      {
        description: 'What makes the run reproducible: the same hashes again from the same seed and request.',
      },
    ),
  },
  { title: 'PathResult', description: 'Statistics of the paths, and their hashes.' },
);
export type PathResult = Static<typeof PathResult>;
