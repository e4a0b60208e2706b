import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Nullable, Sha256Of, Uid, InstantOf } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import {
  Factor,
  LqmVersionNumber,
  Regime,
  TrainingSet,
  versionMembers,
} from '#lib/registry/checkpoint.schema.ts';

export const SAMPLES = { least: 100, most: 200_000, default: 10_000 };
export const shockUnits = ['return', 'percent', 'bp', 'sigma'] as const;
export const shockModes = ['set', 'add'] as const;
/** Shocks farther from the mean than this are refused. */
export const SIGMAS_MOST = 12;
export const engines = ['gaussian', 'student_t', 'filtered_historical', 't_copula_empirical'] as const;
/** Engines by which the other factors follow those that are shocked. */
export const stressedEngines: readonly string[] = ['gaussian', 'student_t'];
/** Engines that draw Student t numbers. */
export const studentEngines: readonly string[] = ['student_t', 't_copula_empirical'];
/** Engines that draw from the months of the training. */
export const empiricalEngines: readonly string[] = ['filtered_historical', 't_copula_empirical'];

export const WantedRegime = Type.Enum(['calm', 'stressed', 'turbulent', 'crisis', 'current', 'ergodic'], {
  description:
    'A regime of the model by its name, `current` for the probabilities of its last month, or `ergodic` for the long-run shares.',
  examples: ['stressed'],
});
export const Seed = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'The draws. The same seed, request, model and context give the same samples to the bit.',
  examples: [42],
});
const Samples = Type.Integer({
  minimum: SAMPLES.least,
  maximum: SAMPLES.most,
  default: SAMPLES.default,
  description: 'How many samples are drawn.',
  examples: [10_000],
});

const shock = {
  factor: Factor,
  shock: Type.Number({ description: 'How far, in the unit.', examples: [-0.15] }),
};

export const ScenarioRequestBody = Closed(
  {
    regime: WantedRegime,
    samples: Type.Optional(Samples),
    seed: Type.Optional({ ...Seed, description: 'The draws. One is drawn, and told, when it is left out.' }),
    stress: Type.Optional(
      Type.Array(
        Closed(
          {
            ...shock,
            unit: Type.Optional(
              Type.Enum([...shockUnits], {
                default: 'return',
                description:
                  'Log return of the month, per cent or hundredths of it, or standard deviations of the regime.',
              }),
            ),
            mode: Type.Optional(
              Type.Enum([...shockModes], {
                default: 'set',
                description: 'Whether the factor is set to it, or it is added to the mean of the regime.',
              }),
            ),
          },
          {
            title: 'Shock',
            description: 'A factor that is shocked; the others follow as they do in the regime.',
          },
        ),
        { maxItems: 50, description: 'Factors that are set. None when it is left out.' },
      ),
    ),
  },
  { title: 'ScenarioRequest', description: 'A regime, and what is shocked in it.' },
);
export type ScenarioRequestBody = Static<typeof ScenarioRequestBody>;

export const Context = Closed(
  {
    last_month: IsoDate,
    as_of: IsoDate,
    age_days: Type.Integer({
      minimum: 0,
      description: 'Days from the last month to the day of the request.',
    }),
    factors: Type.Array(Factor, { description: 'The factors, all known of that month.' }),
    values: Type.Array(Type.Number(), { description: 'Their returns of that month.' }),
    store: Type.Optional(
      Closed(
        {
          feature: Type.String({ description: 'Key of the feature that tells the returns.' }),
          version: Type.Integer({ minimum: 1, description: 'Its version.' }),
          event_times: Type.Array(InstantOf('What a value is about.'), {
            description: 'What each value is about.',
          }),
          known_at: Type.Array(InstantOf('When a value was known.'), {
            description: 'When each value was known.',
          }),
        },
        { description: 'Of a model whose factors are entities of a feature of the store.' },
      ),
    ),
  },
  { description: 'The newest month of the factors that was known.' },
);

export const Engine = Type.Enum([...engines], {
  description:
    'What samples are drawn from: `gaussian`, the normal law of the regime; `student_t`, a Student t law of the same means ' +
    'and covariances; `filtered_historical`, whole months of the training, each as often as it was probably in the regime; ' +
    '`t_copula_empirical`, the dependence of the Student t law with each factor spread as in those months. The last two ' +
    'take no shocks.',
});

export const ScenarioInput = Closed(
  {
    ...versionMembers,
    training_uid: Uid(prefixes.modelTraining, 'The sealed training of the checkpoint.'),
    checkpoint_hash: Sha256Of('The checkpoint.'),
    regime: WantedRegime,
    samples: Samples,
    seed: Seed,
    stress: Type.Array(
      Closed(
        {
          ...shock,
          unit: Type.Enum([...shockUnits], { description: 'Its unit.' }),
          mode: Type.Enum([...shockModes], { description: 'How it is meant.' }),
        },
        { description: 'A shock as it was asked for.' },
      ),
      { description: 'By factor.' },
    ),
    engine: Engine,
    degrees_of_freedom: Nullable(
      Type.Integer({ minimum: 4, maximum: 30, description: 'Of a Student t law or copula.' }),
      'Degrees of freedom. Null of engines without.',
    ),
    antithetic: Type.Boolean({ description: 'Whether every second sample mirrors the one before.' }),
    training_set: Nullable(
      TrainingSet,
      'Where the months stand that are drawn from. Null of a law by formula.',
    ),
    context: Context,
  },
  {
    title: 'ScenarioInput',
    description: 'The request with every default filled in, and what it rests on by hash.',
  },
);
export type ScenarioInput = Static<typeof ScenarioInput>;

const ModelKey = Type.String({
  pattern: '^[a-z][a-z0-9_]{0,63}$',
  description: 'Key of a numeric model of the workspace.',
  examples: ['equity_regimes'],
});

export const ModelScenarioRequestBody = Closed(
  {
    model: ModelKey,
    version: Type.Optional({
      ...LqmVersionNumber,
      description:
        'Its version, where the caller relies on one. The newest that is approved when it is left out.',
    }),
    ...ScenarioRequestBody.properties,
  },
  { title: 'ModelScenarioRequest', description: 'A model, a regime, and what is shocked in it.' },
);
export type ModelScenarioRequestBody = Static<typeof ModelScenarioRequestBody>;

export const ModelScenarioInput = Closed(
  { model_key: ModelKey, ...ScenarioInput.properties },
  {
    title: 'ModelScenarioInput',
    description: 'The request with every default filled in, and what it rests on by hash.',
  },
);

const Amount = (description: string) => Type.Number({ description });
const Interval = (description: string) =>
  Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description });

export const Statistics = Closed(
  {
    mean: Amount('Mean.'),
    mean_error: Amount('Standard error of the mean.'),
    standard_deviation: Type.Number({ minimum: 0, description: 'Population standard deviation.' }),
    skewness: Nullable(Type.Number(), 'Null where the samples do not vary.'),
    excess_kurtosis: Nullable(Type.Number(), 'Null where the samples do not vary.'),
    minimum: Amount('The lowest sample.'),
    maximum: Amount('The highest sample.'),
    quantiles: Type.Array(
      Closed(
        {
          p: Type.Number({ minimum: 0, maximum: 1, description: 'Probability.' }),
          value: Amount('Quantile of type 7.'),
          interval: Interval('Order statistics that hold the quantile of the law with 95 %.'),
        },
        { description: 'A quantile.' },
      ),
      { description: 'By probability.' },
    ),
    risk: Type.Array(
      Closed(
        {
          level: Type.Number({ minimum: 0, maximum: 1, description: 'Confidence.' }),
          value_at_risk: Amount('Loss that is not exceeded with this probability.'),
          expected_shortfall: Amount('Mean loss beyond it.'),
        },
        { description: 'Losses of one month.' },
      ),
      { description: 'By level.' },
    ),
  },
  { title: 'SampleStatistics', description: 'Statistics of the samples of a return.' },
);

export const RegimeProbabilities = Type.Array(
  Closed(
    {
      regime: Regime,
      probability: Type.Number({ minimum: 0, maximum: 1, description: 'Of being in it.' }),
    },
    { description: 'A regime that samples are drawn from.' },
  ),
  { description: 'What the regime stands for.' },
);

const Hash = (description: string) => Sha256Of(description);

export const ScenarioResult = Closed(
  {
    regime_probabilities: RegimeProbabilities,
    stress: Type.Array(
      Closed(
        { factor: Factor, value: Amount('The log return it is set to.') },
        { description: 'A factor that is set.' },
      ),
      { description: 'The shocks as returns, by factor.' },
    ),
    plausibility: Type.Array(
      Closed(
        {
          regime: Regime,
          distance_squared: Type.Number({
            minimum: 0,
            description: 'Squared Mahalanobis distance of the shocks from the mean of the regime.',
          }),
          tail_probability: Type.Number({
            minimum: 0,
            maximum: 1,
            description: 'Chance of shocks at least as far, under a normal law.',
          }),
          supported: Type.Boolean({ description: 'Whether that is at least 0.0001.' }),
        },
        { description: 'How likely the shocks are in a regime.' },
      ),
      { description: 'Empty without shocks.' },
    ),
    factors: Type.Array(Closed({ factor: Factor, statistics: Statistics }, { description: 'A factor.' }), {
      description: 'In the order of the model.',
    }),
    equal_weight: Statistics,
    closed_form: Nullable(
      Closed(
        {
          mean: Amount('Mean of the equally weighted book.'),
          standard_deviation: Type.Number({ minimum: 0, description: 'Its standard deviation.' }),
          value_at_risk_99: Amount('Its value at risk at 99 %.'),
          expected_shortfall_99: Amount('Its expected shortfall at 99 %.'),
        },
        { description: 'By formula, to hold the samples against.' },
      ),
      'Of a normal law in one regime. Null of others.',
    ),
    correlation: Type.Array(Type.Array(Nullable(Type.Number()), { description: 'A row.' }), {
      description: 'Sample correlations of the factors; null where one of them does not vary.',
    }),
    hashes: Closed(
      {
        model_hash: Hash('Of the checkpoint.'),
        feature_context_hash: Hash('Of the context.'),
        input_hash: Hash('Of the request with every default filled in.'),
        samples_hash: Hash('Of the matrix of samples: doubles, little-endian, sample by sample.'),
        statistics_hash: Hash('Of the statistics.'),
        run_hash: Hash('Of these five and the version of the recipe.'),
      },
      {
        description: 'What makes the run reproducible: the same hashes again from the same seed and request.',
      },
    ),
  },
  { title: 'ScenarioResult', description: 'Statistics of the samples, and their hashes.' },
);
export type ScenarioResult = Static<typeof ScenarioResult>;
