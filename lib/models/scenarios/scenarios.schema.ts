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
/** Maximum distance of a shock from the mean, in standard deviations. Larger shocks are refused. */
export const SIGMAS_MAX = 12;
export const engines = ['gaussian', 'student_t', 'filtered_historical', 't_copula_empirical'] as const;
export const DEGREES_OF_FREEDOM = 6;
/** Engines in which shocks of some factors also change the other factors. */
export const stressedEngines: readonly string[] = ['gaussian', 'student_t'];
/** Engines that draw random numbers with a Student t distribution. */
export const studentEngines: readonly string[] = ['student_t', 't_copula_empirical'];
/** Engines that draw from the training months. */
export const empiricalEngines: readonly string[] = ['filtered_historical', 't_copula_empirical'];

export const WantedRegime = Type.Enum(['calm', 'stressed', 'turbulent', 'crisis', 'current', 'ergodic'], {
  description:
    'Regime of the scenarios: a regime of the model by name, `current` for the regime probabilities in the last month of its training data, or `ergodic` for the long-run shares.',
  examples: ['stressed'],
});
export const Seed = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  description: 'Random seed. The same seed, request, model and context give bit-identical samples.',
  examples: [42],
});
const Samples = Type.Integer({
  minimum: SAMPLES.min,
  maximum: SAMPLES.max,
  default: SAMPLES.default,
  description: 'Number of samples.',
  examples: [10_000],
});

const shock = {
  factor: Factor,
  shock: Type.Number({ description: 'Size of the shock, in the unit.', examples: [-0.15] }),
};

export const ScenarioRequestBody = Closed(
  {
    regime: WantedRegime,
    samples: Type.Optional(Samples),
    seed: Type.Optional({ ...Seed, description: 'Random seed. Default: a seed is drawn and returned.' }),
    stress: Type.Optional(
      Type.Array(
        Closed(
          {
            ...shock,
            unit: Type.Optional(
              Type.Enum([...shockUnits], {
                default: 'return',
                description:
                  'Unit of the shock. `return`: a log return of the month, such as -0.15. `percent`: the log return in per cent. `bp`: the log return in basis points. `sigma`: standard deviations of the factor in the regime.',
              }),
            ),
            mode: Type.Optional(
              Type.Enum([...shockModes], {
                default: 'set',
                description:
                  'How the shock is applied. `set`: the return of the factor is the shock. `add`: the return is the mean of the regime plus the shock. A shock in `sigma` is always added to the mean.',
              }),
            ),
          },
          {
            title: 'Shock',
            description:
              'A shock to a factor. Factors without a shock are drawn conditional on the shocked factors.',
          },
        ),
        { maxItems: 50, description: 'Shocks to factors. Default: none.' },
      ),
    ),
  },
  { title: 'ScenarioRequest', description: 'A regime, and the shocks to apply in the regime.' },
);

export const Context = Closed(
  {
    last_month: IsoDate,
    as_of: IsoDate,
    age_days: Type.Integer({
      minimum: 0,
      description: 'Age of the newest month on the day of the request, in days.',
    }),
    factors: Type.Array(Factor, { description: 'The factors. Each has a value for the newest month.' }),
    values: Type.Array(Type.Number(), { description: 'The returns of the factors in the newest month.' }),
    store: Type.Optional(
      Closed(
        {
          feature: Type.String({ description: 'Key of the feature that supplies the returns.' }),
          version: Type.Integer({ minimum: 1, description: 'Version of the feature.' }),
          event_times: Type.Array(InstantOf('Time that the value describes.'), {
            description: 'Time that each value describes.',
          }),
          known_at: Type.Array(InstantOf('Time at which the value became known.'), {
            description: 'Time at which each value became known.',
          }),
        },
        { description: 'Source of the values, if the factors are entities of a feature of the store.' },
      ),
    ),
  },
  { description: 'The newest known month of the factors.' },
);

export const Engine = Type.Enum([...engines], {
  description:
    'Sampling engine. `gaussian`: the normal distribution of the regime. `student_t`: a Student t distribution with the same means and covariances. `filtered_historical`: whole training months, drawn with the probability that they were in the regime. `t_copula_empirical`: the dependence of the Student t distribution, with the distribution of each factor taken from the training months. `filtered_historical` and `t_copula_empirical` do not support shocks.',
});

export const DegreesOfFreedom = Type.Integer({
  minimum: 4,
  maximum: 30,
  description: 'Degrees of freedom. Only for the engines `student_t` and `t_copula_empirical`.',
});

/** Sampling options: query parameters in addition to the body of every scenario request. */
export const scenarioOptions = {
  engine: Type.Optional({ ...Engine, default: 'gaussian' }),
  degrees_of_freedom: Type.Optional({ ...DegreesOfFreedom, default: DEGREES_OF_FREEDOM }),
  antithetic: Type.Optional(
    Type.Boolean({
      description:
        'Whether samples are drawn in antithetic pairs: the draws of every second sample have the opposite signs of the sample before. Default: true, except for `filtered_historical`.',
    }),
  ),
};

/** Body and query of a scenario request. */
export const ScenarioRequest = Closed({ ...ScenarioRequestBody.properties, ...scenarioOptions });
export type ScenarioRequest = Static<typeof ScenarioRequest>;

export const ScenarioInput = Closed(
  {
    ...versionMembers,
    training_uid: Uid(prefixes.modelTraining, 'The sealed training of the checkpoint.'),
    checkpoint_hash: Sha256Of('Hash of the checkpoint.'),
    regime: WantedRegime,
    samples: Samples,
    seed: Seed,
    stress: Type.Array(
      Closed(
        {
          ...shock,
          unit: Type.Enum([...shockUnits], { description: 'Unit of the shock.' }),
          mode: Type.Enum([...shockModes], {
            description:
              'How the shock is applied. `set`: the return of the factor is the shock. `add`: the return is the mean of the regime plus the shock. A shock in `sigma` is always added to the mean.',
          }),
        },
        { description: 'A shock as requested.' },
      ),
      { description: 'The shocks, by factor.' },
    ),
    engine: Engine,
    degrees_of_freedom: Nullable(
      Type.Integer({
        minimum: 4,
        maximum: 30,
        description: 'Degrees of freedom of a Student t distribution or copula.',
      }),
      'Degrees of freedom. Null for engines without them.',
    ),
    antithetic: Type.Boolean({
      description:
        'Whether samples are drawn in antithetic pairs: the draws of every second sample have the opposite signs of the sample before.',
    }),
    training_set: Nullable(
      TrainingSet,
      'The dataset of the training months that samples are drawn from. Null for engines with a parametric distribution.',
    ),
    context: Context,
  },
  {
    title: 'ScenarioInput',
    description: 'The request with every default filled in, and the hashes of its inputs.',
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
      description: 'Version of the model that the caller requires. Default: the newest approved version.',
    }),
    ...ScenarioRequestBody.properties,
  },
  { title: 'ModelScenarioRequest', description: 'A model, a regime, and the shocks to apply in the regime.' },
);

/** Body and query of a scenario request for a named model. */
export const ModelScenarioRequest = Closed({ ...ModelScenarioRequestBody.properties, ...scenarioOptions });

export const ModelScenarioInput = Closed(
  { model_key: ModelKey, ...ScenarioInput.properties },
  {
    title: 'ModelScenarioInput',
    description: 'The request with every default filled in, and the hashes of its inputs.',
  },
);
