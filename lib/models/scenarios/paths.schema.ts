import Type, { type Static } from 'typebox';
import { Closed, Sha256Of, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Factor, Regime, versionMembers } from '#lib/models/registry/checkpoint.schema.ts';
import { Context, Seed, WantedRegime } from './scenarios.schema.ts';
import { RegimeProbabilities, Statistics } from './scenario-result.schema.ts';

export const HORIZON = { min: 1, max: 120, default: 12 };
export const PATHS = { min: 100, max: 20_000, default: 2_000 };
/** Maximum number of paths times months times factors of a run. The run holds this many doubles in memory at once. */
export const CELLS_MAX = 24_000_000;

const Start = {
  ...WantedRegime,
  description:
    'Regime of the first month: a regime of the model by name, `current` for the regime probabilities in the last month of its training data, or ' +
    '`ergodic` for the long-run shares. Later months follow the transition probabilities of the model.',
};
const Horizon = Type.Integer({
  minimum: HORIZON.min,
  maximum: HORIZON.max,
  default: HORIZON.default,
  description: 'Number of months per path.',
  examples: [12],
});
const Paths = Type.Integer({
  minimum: PATHS.min,
  maximum: PATHS.max,
  default: PATHS.default,
  description: 'Number of paths.',
  examples: [2_000],
});

export const PathRequestBody = Closed(
  {
    regime: Start,
    horizon: Type.Optional(Horizon),
    paths: Type.Optional({
      ...Paths,
      description: 'Number of paths. Paths times months times factors must be at most 24,000,000.',
    }),
    seed: Type.Optional({ ...Seed, description: 'Random seed. Default: a seed is drawn and returned.' }),
  },
  { title: 'PathRequest', description: 'Starting regime and size of the paths.' },
);
export type PathRequestBody = Static<typeof PathRequestBody>;

export const PathInput = Closed(
  {
    ...versionMembers,
    training_uid: Uid(prefixes.modelTraining, 'The sealed training of the checkpoint.'),
    checkpoint_hash: Sha256Of('Hash of the checkpoint.'),
    regime: Start,
    horizon: Horizon,
    paths: Paths,
    seed: Seed,
    context: Context,
  },
  {
    title: 'PathInput',
    description: 'The request with every default filled in, and the hashes of its inputs.',
  },
);
export type PathInput = Static<typeof PathInput>;

const shape = {
  mean: Type.Number({ description: 'Mean over the paths.' }),
  standard_deviation: Type.Number({ minimum: 0, description: 'Population standard deviation.' }),
  quantiles: Type.Array(Type.Number(), {
    description: 'Quantiles (type 7) at the `probabilities` of the result.',
  }),
};
const Spread = (description: string) => Closed(shape, { title: 'PathSpread', description });

const Step = Closed(
  {
    month: Type.Integer({ minimum: 1, description: 'Number of the month, from 1.', examples: [1] }),
    regimes: Type.Array(
      Closed(
        {
          regime: Regime,
          share: Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'Share of the paths that are in the regime.',
          }),
          expected: Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'Probability of the regime by the transition matrix, for comparison with the share.',
          }),
        },
        { description: 'Share of the paths in a regime.' },
      ),
      { description: 'Regimes, from the calmest.' },
    ),
    factors: Type.Array(Closed({ factor: Factor, ...shape }, { description: 'Statistics of a factor.' }), {
      description: 'Cumulative log return of each factor up to the month, in the factor order of the model.',
    }),
    equal_weight: Spread('Cumulative log return of the equally weighted book up to the month.'),
  },
  { description: 'Statistics of the paths after a month.' },
);

export const PathResult = Closed(
  {
    regime_probabilities: RegimeProbabilities,
    probabilities: Type.Array(Type.Number({ minimum: 0, maximum: 1 }), {
      description: 'Probabilities at which the quantiles are computed.',
      examples: [[0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]],
    }),
    steps: Type.Array(Step, { description: 'Statistics by month.' }),
    final: {
      ...Statistics,
      title: 'FinalStatistics',
      description:
        'Cumulative log return of the equally weighted book over all months. The log return of the book in a month is the mean of the log returns of ' +
        'the factors, as in scenarios.',
    },
    maximum_drawdown: Closed(
      { ...shape, deepest: Type.Number({ description: 'Deepest drawdown of all paths.' }) },
      {
        description:
          'Maximum drawdown of the book on a path, as a simple return from the highest earlier level (including the start): 0 ' +
          'or below.',
      },
    ),
    hashes: Closed(
      {
        model_hash: Sha256Of('Hash of the checkpoint.'),
        feature_context_hash: Sha256Of('Hash of the context.'),
        input_hash: Sha256Of('Hash of the request with every default filled in.'),
        samples_hash: Sha256Of(
          'Hash of the cumulative log returns: little-endian doubles, path by path, month by month, factor by factor.',
        ),
        regimes_hash: Sha256Of(
          'Hash of the regimes: one byte for each month of each path, 0 for the calmest.',
        ),
        statistics_hash: Sha256Of('Hash of the statistics.'),
        run_hash: Sha256Of('Hash of the six other hashes and the recipe version.'),
      },
      {
        description:
          'Hashes that prove the run is reproducible: the same seed and request give the same hashes.',
      },
    ),
  },
  { title: 'PathResult', description: 'Statistics of the paths, and their hashes.' },
);
export type PathResult = Static<typeof PathResult>;
