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
  description:
    'Name of a regime, ordered from the calmest. Two regimes: calm, stressed. Three regimes: calm, turbulent, crisis.',
  examples: ['stressed'],
});

/** The members that identify a model version. The input of every run on the version contains these members. */
export const versionMembers = {
  model_uid: LqmModelUid,
  version_uid: LqmVersionUid,
  version: LqmVersionNumber,
  content_hash: Sha256Of("SHA-256 of the RFC 8785 form of the version's definition."),
};

export const TrainingSet = Closed(
  {
    id: Type.Integer({ minimum: 1, description: 'Id of the governed numeric dataset.' }),
    revision: Type.Integer({
      minimum: 1,
      description: 'Revision of the dataset: the import that wrote its content.',
    }),
    content_hash: Sha256Of('Hash of the content.'),
  },
  { description: 'The dataset content that the model is trained on.' },
);

const Vector = (description: string) => Type.Array(Type.Number(), { description });
const Matrix = (description: string) => Type.Array(Vector('A row of the matrix.'), { description });

export const Checkpoint = Closed(
  {
    recipe: Type.Literal(RECIPE, {
      description: 'Recipe that trained the model. A changed recipe has a new name.',
    }),
    factors: Type.Array(Factor, { description: 'The factors, in column order.' }),
    regimes: Type.Array(
      Closed(
        {
          name: Regime,
          means: Vector('Mean monthly return of each factor.'),
          covariance: Matrix('Covariance of the monthly returns.'),
          months: Type.Number({ description: 'Expected number of months in the regime.' }),
        },
        { description: 'A regime.' },
      ),
      { minItems: 1, maxItems: 3, description: 'The regimes, from the calmest to the most volatile.' },
    ),
    transitions: Matrix('Probability of each next regime (column) given the regime (row).'),
    initial: Vector('Probability of each regime in the first month.'),
    stationary: Vector('Long-run share of each regime.'),
    current: Vector('Probability of each regime in the last month, given all months.'),
    first_month: IsoDate,
    last_month: IsoDate,
    reference_profile: Type.Optional(
      Closed({ columns: ColumnProfiles }, { description: 'Reference profile for measuring drift.' }),
    ),
    training_data_hash: Sha256Of('Hash of the training data.'),
  },
  { title: 'ModelCheckpoint', description: 'The parameters of a trained model.' },
);
export type Checkpoint = Static<typeof Checkpoint>;

export const RegimeTrainingResult = Closed(
  {
    checkpoint: Checkpoint,
    checkpoint_hash: Sha256Of('SHA-256 of the RFC 8785 form of the checkpoint.'),
    months: Type.Integer({ minimum: 1, description: 'Number of months fitted.' }),
    log_likelihood: Type.Number({ description: 'Log-likelihood of the chosen model.' }),
    iterations: Type.Integer({ minimum: 0, description: 'Number of expectation-maximisation steps.' }),
    candidates: Type.Array(
      Closed(
        {
          regimes: Type.Integer({ minimum: 1, maximum: 3, description: 'Number of regimes.' }),
          log_likelihood: Type.Number({ description: 'Highest log-likelihood among the valid fits.' }),
          bic: Type.Number({
            description: 'Bayesian information criterion; the fit with the lowest value is chosen.',
          }),
          starts: Type.Integer({ minimum: 1, description: 'Number of fits from different starts.' }),
          passing: Type.Integer({
            minimum: 1,
            description:
              'Number of valid fits. In a valid fit, the regimes persist, are occupied, and are not singular.',
          }),
        },
        { description: 'A candidate number of regimes.' },
      ),
      {
        description:
          'The candidates for the number of regimes. Numbers of regimes without a valid fit are omitted.',
      },
    ),
  },
  {
    title: 'ModelTrainingResult',
    description: 'The checkpoint, and the candidates that it was chosen from.',
  },
);

export const RegimeEvaluationResult = Closed(
  {
    passed: Type.Boolean({
      description: 'Whether the model predicts the held-out months at least as well as the baseline.',
    }),
    checkpoint_hash: Sha256Of('The checkpoint that was evaluated.'),
    fitted_months: Type.Integer({ minimum: 1, description: 'Number of months fitted.' }),
    held_out_months: Type.Integer({
      minimum: 1,
      description: 'Number of held-out months predicted one step ahead.',
    }),
    log_score: Type.Number({
      description: 'Mean log density of a held-out month; larger is better.',
    }),
    baseline_log_score: Type.Number({
      description: 'Mean log density under one normal distribution for all months.',
    }),
    difference_p_value: Type.Union([Type.Number({ minimum: 0, maximum: 1 }), Type.Null()], {
      description:
        'Two-sided p-value of the Diebold-Mariano test between the scores of the model and the baseline. Null if the scores do not differ.',
    }),
  },
  { title: 'ModelEvaluationResult', description: 'Performance of the model on the held-out months.' },
);
