import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Sha256Of, Uid } from '#lib/core/schema.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { ColumnProfiles } from './profile.schema.ts';

export const RECIPE = 'regime-ghmm/1';

export const LqmModelUid = Uid(prefixes.lqmModel, 'The model.');
export const LqmVersionUid = Uid(prefixes.lqmVersion, 'The version of the model.');
export const LqmVersionNumber = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'Version of the model.',
  examples: [1],
});
export const Factor = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$',
  description: 'Key of a factor.',
  examples: ['AAPL'],
});
export const Regime = Type.Enum(['calm', 'stressed', 'turbulent', 'crisis'], {
  description: 'A regime by its name, from the calmest on: calm, stressed; of three calm, turbulent, crisis.',
  examples: ['stressed'],
});

/** What every run on a version of a model says of it. */
export const versionMembers = {
  model_uid: LqmModelUid,
  version_uid: LqmVersionUid,
  version: LqmVersionNumber,
  content_hash: Sha256Of('SHA-256 of the RFC 8785 form of what the version is.'),
};

export const TrainingSet = Closed(
  {
    id: Type.Integer({ minimum: 1, description: 'The governed numeric dataset.' }),
    revision: Type.Integer({ minimum: 1, description: 'The import that brought its content.' }),
    content_hash: Sha256Of('Hash of its content.'),
  },
  { description: 'The content that the model is made from.' },
);

const Vector = (description: string) => Type.Array(Type.Number(), { description });
const Matrix = (description: string) => Type.Array(Vector('A row.'), { description });

export const Checkpoint = Closed(
  {
    recipe: Type.Literal(RECIPE, { description: 'How it was made; a recipe never changes.' }),
    factors: Type.Array(Factor, { description: 'The factors in their order.' }),
    regimes: Type.Array(
      Closed(
        {
          name: Regime,
          means: Vector('Mean return of each factor in a month.'),
          covariance: Matrix('Covariance of the returns of a month.'),
          months: Type.Number({ description: 'Expected number of months in it.' }),
        },
        { description: 'A regime.' },
      ),
      { minItems: 1, maxItems: 3, description: 'From the calmest to the most volatile.' },
    ),
    transitions: Matrix('Probability of the next regime (column) after a regime (row).'),
    initial: Vector('Probability of each regime in the first month.'),
    stationary: Vector('Long-run share of each regime.'),
    current: Vector('Probability of each regime in the last month, given all months.'),
    first_month: IsoDate,
    last_month: IsoDate,
    reference_profile: Type.Optional(
      Closed({ columns: ColumnProfiles }, { description: 'What drift is measured from.' }),
    ),
    training_data_hash: Sha256Of('Hash of the content it was trained on.'),
  },
  { title: 'ModelCheckpoint', description: 'The parameters of a trained model.' },
);
export type Checkpoint = Static<typeof Checkpoint>;

export const RegimeTrainingResult = Closed(
  {
    checkpoint: Checkpoint,
    checkpoint_hash: Sha256Of('SHA-256 of the RFC 8785 form of the checkpoint.'),
    months: Type.Integer({ minimum: 1, description: 'Months that were fitted.' }),
    log_likelihood: Type.Number({ description: 'Of the chosen model.' }),
    iterations: Type.Integer({ minimum: 0, description: 'Steps of expectation and maximisation.' }),
    candidates: Type.Array(
      Closed(
        {
          regimes: Type.Integer({ minimum: 1, maximum: 3, description: 'Number of regimes.' }),
          log_likelihood: Type.Number({ description: 'The highest of those that hold.' }),
          bic: Type.Number({ description: 'Bayesian information criterion; the lowest is chosen.' }),
          starts: Type.Integer({ minimum: 1, description: 'Fits from different starts.' }),
          passing: Type.Integer({
            minimum: 1,
            description: 'Fits whose regimes last, are occupied and not singular.',
          }),
        },
        { description: 'A number of regimes that was tried.' },
      ),
      { description: 'What was chosen among. A number of which no fit held is not in it.' },
    ),
  },
  { title: 'ModelTrainingResult', description: 'The checkpoint and how it came about.' },
);

export const RegimeEvaluationResult = Closed(
  {
    passed: Type.Boolean({
      description: 'Whether the model tells of the held-out months no worse than the baseline.',
    }),
    checkpoint_hash: Sha256Of('The checkpoint that was evaluated.'),
    fitted_months: Type.Integer({ minimum: 1, description: 'Months that were fitted.' }),
    held_out_months: Type.Integer({ minimum: 1, description: 'Months that were told of one step ahead.' }),
    log_score: Type.Number({
      description: 'Mean logarithm of the density of a held-out month; larger is better.',
    }),
    baseline_log_score: Type.Number({ description: 'The same of one normal distribution for all months.' }),
    difference_p_value: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description:
        'Two-sided p-value of the test of Diebold and Mariano of the two scores. Null where they do not differ.',
    }),
  },
  { title: 'ModelEvaluationResult', description: 'How the model tells of months that it was not fitted on.' },
);
