import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Nullable, Sha256Of, Uid, InstantOf } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import {
  Factor,
  LqmVersionNumber,
  TrainingSet,
  versionMembers,
} from '#lib/models/registry/checkpoint.schema.ts';

export const SAMPLES = { min: 100, max: 200_000, default: 10_000 };
export const shockUnits = ['return', 'percent', 'bp', 'sigma'] as const;
export const shockModes = ['set', 'add'] as const;
/** Shocks farther from the mean than this are refused. */
export const SIGMAS_MAX = 12;
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
  minimum: SAMPLES.min,
  maximum: SAMPLES.max,
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

/** How samples are drawn: query parameters beside the body of every scenario. */
export const scenarioOptions = {
  engine: Type.Optional({ ...Engine, default: 'gaussian' }),
  degrees_of_freedom: Type.Optional(
    Type.Integer({
      minimum: 4,
      maximum: 30,
      default: 6,
      description: 'Of the engines `student_t` and `t_copula_empirical`.',
    }),
  ),
  antithetic: Type.Optional(
    Type.Boolean({
      description:
        'Whether every second sample mirrors the one before. It does when it is left out, save by `filtered_historical`.',
    }),
  ),
};

/** Body and query of a scenario. */
export const ScenarioRequest = Closed({ ...ScenarioRequestBody.properties, ...scenarioOptions });
export type ScenarioRequest = Static<typeof ScenarioRequest>;

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

/** Body and query of a scenario of a named model. */
export const ModelScenarioRequest = Closed({ ...ModelScenarioRequestBody.properties, ...scenarioOptions });

export const ModelScenarioInput = Closed(
  { model_key: ModelKey, ...ScenarioInput.properties },
  {
    title: 'ModelScenarioInput',
    description: 'The request with every default filled in, and what it rests on by hash.',
  },
);
