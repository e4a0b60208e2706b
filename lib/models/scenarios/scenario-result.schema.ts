import Type, { type Static } from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { Factor, Regime } from '#lib/models/registry/checkpoint.schema.ts';

const Amount = (description: string) => Type.Number({ description });
const Interval = (description: string) =>
  Type.Array(Type.Number(), { minItems: 2, maxItems: 2, description });

export const Statistics = Closed(
  {
    mean: Amount('Mean.'),
    mean_error: Amount('Standard error of the mean.'),
    standard_deviation: Type.Number({ minimum: 0, description: 'Population standard deviation.' }),
    skewness: Nullable(Type.Number(), 'Skewness. Null if the samples do not vary.'),
    excess_kurtosis: Nullable(Type.Number(), 'Excess kurtosis. Null if the samples do not vary.'),
    minimum: Amount('The lowest sample.'),
    maximum: Amount('The highest sample.'),
    quantiles: Type.Array(
      Closed(
        {
          p: Type.Number({ minimum: 0, maximum: 1, description: 'Probability.' }),
          value: Amount('Quantile (type 7).'),
          interval: Interval('95 % confidence interval of the true quantile, from order statistics.'),
        },
        { description: 'A quantile.' },
      ),
      { description: 'Quantiles by probability.' },
    ),
    risk: Type.Array(
      Closed(
        {
          level: Type.Number({ minimum: 0, maximum: 1, description: 'Confidence level.' }),
          value_at_risk: Amount(
            'The loss at this confidence level: with the probability `level`, the loss is at most this value.',
          ),
          expected_shortfall: Amount('Mean of the losses beyond the value at risk.'),
        },
        { description: 'Tail losses at one confidence level.' },
      ),
      { description: 'Losses by confidence level.' },
    ),
  },
  { title: 'SampleStatistics', description: 'Statistics of the samples of a return.' },
);

export const RegimeProbabilities = Type.Array(
  Closed(
    {
      regime: Regime,
      probability: Type.Number({ minimum: 0, maximum: 1, description: 'Probability of the regime.' }),
    },
    { description: 'A regime that samples are drawn from.' },
  ),
  { description: 'The regimes that the requested regime resolves to, with their probabilities.' },
);

const Hash = (description: string) => Sha256Of(description);

export const ScenarioResult = Closed(
  {
    regime_probabilities: RegimeProbabilities,
    stress: Type.Array(
      Closed(
        { factor: Factor, value: Amount('Log return that the factor is set to.') },
        { description: 'A shocked factor.' },
      ),
      { description: 'The shocks as log returns, by factor.' },
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
            description:
              'Probability of shocks at least this far from the mean, under a normal distribution.',
          }),
          supported: Type.Boolean({ description: 'Whether the tail probability is at least 0.0001.' }),
        },
        { description: 'Plausibility of the shocks in a regime.' },
      ),
      { description: 'Plausibility by regime. Empty without shocks.' },
    ),
    factors: Type.Array(
      Closed({ factor: Factor, statistics: Statistics }, { description: 'Statistics of a factor.' }),
      {
        description: 'Statistics by factor, in the factor order of the model.',
      },
    ),
    equal_weight: Statistics,
    closed_form: Nullable(
      Closed(
        {
          mean: Amount('Mean log return of the equally weighted book in one month.'),
          standard_deviation: Type.Number({
            minimum: 0,
            description: 'Standard deviation of the log return of the equally weighted book in one month.',
          }),
          value_at_risk_99: Amount(
            'Value at risk of the book over one month at the 99 % level: a log return, above 0 for a loss.',
          ),
          expected_shortfall_99: Amount(
            'Expected shortfall of the book over one month at the 99 % level: a log return, above 0 for a loss.',
          ),
        },
        { description: 'Closed-form figures, for comparison with the samples.' },
      ),
      'Closed-form figures for a normal distribution in one regime. Null for other distributions.',
    ),
    correlation: Type.Array(Type.Array(Nullable(Type.Number()), { description: 'A row of the matrix.' }), {
      description: 'Sample correlations of the factors; null if one of the two factors does not vary.',
    }),
    hashes: Closed(
      {
        model_hash: Hash('Hash of the checkpoint.'),
        feature_context_hash: Hash('Hash of the context.'),
        input_hash: Hash('Hash of the request with every default filled in.'),
        samples_hash: Hash('Hash of the sample matrix: little-endian doubles, sample by sample.'),
        statistics_hash: Hash('Hash of the statistics.'),
        run_hash: Hash('Hash of the five other hashes and the recipe version.'),
      },
      {
        description:
          'Hashes that prove the run is reproducible: the same seed and request give the same hashes.',
      },
    ),
  },
  { title: 'ScenarioResult', description: 'Statistics of the samples, and their hashes.' },
);
export type ScenarioResult = Static<typeof ScenarioResult>;
