import Type from 'typebox';
import { Closed, Nullable } from '#lib/core/schema.ts';
import type { EvidenceReading } from '#lib/numerics/overfitting/evidence-reading.ts';
import { Count, Maybe, Share } from '#lib/investment/risk/risk-members.schema.ts';

const readings = [
  'holds',
  'chosen_by_luck_within_a_good_family',
  'luck',
  'too_short',
] as const satisfies readonly EvidenceReading[];

const Pbo = Closed(
  {
    blocks: Count('Number of blocks of sessions.'),
    combinations: Count('Number of splits into halves.'),
    trials: Count('Number of trials.'),
    rows_dropped: Count('Sessions dropped at the start so that the blocks are equal.'),
    pbo: Share(
      'Share of the splits in which the best trial of one half is at or below the median of the other.',
    ),
    probability_of_loss: Share('Share of the splits in which the chosen trial loses in the other half.'),
    degradation_slope: Maybe('Slope of the ratio out of sample on the ratio in sample.'),
    degradation_r2: Maybe('R squared of this regression.'),
    logit_median: Maybe('Median logit of the relative rank.'),
  },
  { title: 'BacktestOverfitting', description: 'Probability of backtest overfitting by CSCV.' },
);

/** The evidence against overfitting. */
export const Evidence = Closed(
  {
    probabilistic_sharpe: Maybe('Probability that the true Sharpe ratio is above 0.'),
    min_track_record: Maybe(
      'Sessions after which a Sharpe ratio like this one would be above 0 with a probability of 0.95. Null if the ratio is not above 0.',
    ),
    trials: Closed(
      {
        declared: Count('Trials that the request declares.'),
        counted: Count('Sealed trials of the family before this run.'),
        own: Count('Trials of this run.'),
        used: Count('The sum, from which the Sharpe ratio is deflated.'),
        sharpes: Type.Array(Maybe('Sharpe ratio of one session. Null if the returns do not vary.'), {
          maxItems: 10_000,
          description: 'Sharpe ratios of one session of the trials of this run, the strategy first.',
        }),
        sharpe_sd: Maybe('Standard deviation of the Sharpe ratios of one session over the known trials.'),
        sd_basis: Type.Enum(['trials', 'asymptotic', 'single_trial'], {
          description:
            '`trials`: from the known trials. `asymptotic`: from the standard error of the ratio, as under two trials are known. `single_trial`: nothing to deflate.',
        }),
      },
      { description: 'Number of trials.' },
    ),
    expected_maximum: Maybe('Expected largest Sharpe ratio of one session among worthless trials.'),
    deflated_sharpe: Maybe('Probability that the true Sharpe ratio is above the expected maximum.'),
    overfitting: Nullable(
      Pbo,
      'Probability of backtest overfitting. Null with under two trials in this run.',
    ),
    reading: Type.Enum([...readings], {
      description:
        'The evidence in one word. `holds`: no objection. `chosen_by_luck_within_a_good_family`: the family works, the choice within it does not carry over. `luck`: the result is what the best of so many worthless trials would show. `too_short`: the history is shorter than the minimum track record.',
    }),
    text: Type.String({ description: 'The reading as a sentence.' }),
  },
  {
    title: 'BacktestEvidence',
    description: 'Evidence against overfitting, with the trials that the service counted.',
  },
);
