import Type, { type Static, type TSchema } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import {
  Factor,
  LqmVersionNumber,
  TrainingSet,
  versionMembers,
} from '#lib/models/registry/checkpoint.schema.ts';
import {
  BoostingFit,
  PredictionTask,
  RidgeFit,
  VarFit,
  type SingleFit,
} from '#lib/models/registry/prediction.schema.ts';

const FACTORS_MAX = 50;
const { trees, rate, depth, leaf_rows_min: leafRows, bins } = BoostingFit.properties;

/** Settings that a request leaves out. */
const DEFAULTS = {
  ridge: { lambda: null },
  var: { lags_max: 6 },
  gbt: { trees: 100, rate: 0.1, depth: 3, leaf_rows_min: 20, bins: 64 },
};

export const Factors = Type.Array(Factor, {
  minItems: 1,
  maxItems: FACTORS_MAX,
  uniqueItems: true,
  description: 'Columns that the entry uses, with or without the target.',
});

/** Returns a schema whose description names its default. Schemas in a union cannot have the keyword `default`. */
function withDefault<T extends TSchema>(schema: T, value: number): T {
  const { description } = schema as { description?: string };
  return { ...schema, description: `${description} Default: ${value}.` };
}

const Fit = Type.Union(
  [
    Closed(
      { family: RidgeFit.properties.family, lambda: Type.Optional(RidgeFit.properties.lambda) },
      { title: 'RidgeEntry', description: 'Ridge regression. Default: the penalty is chosen.' },
    ),
    Closed(
      {
        family: VarFit.properties.family,
        lags_max: Type.Optional(withDefault(VarFit.properties.lags_max, 6)),
      },
      { title: 'VarEntry', description: 'Vector autoregression.' },
    ),
    Closed(
      {
        family: BoostingFit.properties.family,
        trees: Type.Optional(withDefault(trees, 100)),
        rate: Type.Optional(withDefault(rate, 0.1)),
        depth: Type.Optional(withDefault(depth, 3)),
        leaf_rows_min: Type.Optional(withDefault(leafRows, 20)),
        bins: Type.Optional(withDefault(bins, 64)),
      },
      { title: 'BoostingEntry', description: 'Gradient boosted trees.' },
    ),
  ],
  { description: 'The family to fit, and its settings.' },
);

/** Members of the entries that a dataset task accepts. */
export const fitEntry = {
  fit: Fit,
  factors: Type.Optional({
    ...Factors,
    description: 'Columns to use. Default: all numeric columns of the dataset.',
  }),
};
export const modelEntry = {
  model: Type.String({
    pattern: '^[a-z][a-z0-9_]{0,63}$',
    description: 'Key of a numeric model that predicts the target of the task at its horizon.',
    examples: ['rates_ridge'],
  }),
  version: Type.Optional({ ...LqmVersionNumber, description: 'Version of the model. Default: the newest.' }),
  checkpoint: Type.Optional(
    Type.Boolean({
      description:
        'Whether the trained checkpoint is used instead of a refit at each origin. Default: false. Refused with `trained_on_outcome` if a training row of the checkpoint is later than the first origin.',
    }),
  ),
};
export const predictionsEntry = {
  predictions: Type.Integer({
    minimum: 1,
    maximum: 2_147_483_647,
    description:
      'Id of a numeric dataset with the columns `date` (last known day or last day of the last known period of an origin), `prediction` (of the last period of the horizon) and `known_at` (seconds since 1970-01-01 UTC).',
    examples: [12],
  }),
};

/** The settings of a fit, with every default. */
export function fitOf(fit: Static<typeof Fit>): SingleFit {
  return { ...DEFAULTS[fit.family], ...fit } as SingleFit;
}

/** Members of a resolved entry that is fitted or read. */
export const resolvedEntryMembers = {
  prediction: Type.Optional(PredictionTask),
  factors: Type.Optional(Factors),
  version: Type.Optional(
    Closed(
      {
        ...versionMembers,
        checkpoint: Nullable(
          Closed(
            {
              training_uid: Uid(prefixes.modelTraining, 'The sealed training of the checkpoint.'),
              checkpoint_hash: Sha256Of('Hash of the checkpoint.'),
            },
            { description: 'A checkpoint.' },
          ),
          'The checkpoint that predicts; null if the model is refitted at each origin.',
        ),
      },
      { description: 'The version of a model.' },
    ),
  ),
  dataset: Type.Optional({ ...TrainingSet, description: 'The dataset with the predictions.' }),
};
