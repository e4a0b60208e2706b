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
