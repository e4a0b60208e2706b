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
    rows_dropped: Count('Number of sessions dropped at the start so that the blocks are equal.'),
    pbo: Share(
      'Share of the splits in which the best trial of one half is at or below the median trial of the other half.',
    ),
    probability_of_loss: Share('Share of the splits in which the chosen trial has a loss in the other half.'),
    degradation_slope: Maybe(
      'Slope of the regression of the out-of-sample Sharpe ratio on the in-sample Sharpe ratio.',
    ),
    degradation_r2: Maybe('R squared of the regression of `degradation_slope`.'),
    logit_median: Maybe('Median logit of the relative rank.'),
  },
  {
    title: 'BacktestOverfitting',
    description: 'Probability of backtest overfitting by combinatorially symmetric cross-validation (CSCV).',
  },
);

/** The evidence on overfitting. */
export const Evidence = Closed(
  {
    probabilistic_sharpe: Maybe('Probability that the true Sharpe ratio is above 0.'),
    min_track_record: Maybe(
      'Minimum track record: the number of sessions after which the true Sharpe ratio is above 0 with a probability of 0.95, if the observed ratio stays the same. Null if the observed ratio is not above 0.',
    ),
    trials: Closed(
      {
        declared: Count('Number of trials that the request declares.'),
        counted: Count('Number of sealed trials of the family before this run.'),
        own: Count('Number of trials of this run.'),
        used: Count(
          'The sum of the declared, counted and own trials. The Sharpe ratio is deflated for this number of trials.',
        ),
        sharpes: Type.Array(Maybe('Sharpe ratio per session. Null if the returns do not vary.'), {
          maxItems: 10_000,
          description:
            'Per-session Sharpe ratios (not annualized) of the trials of this run. The first is that of the strategy.',
        }),
        sharpe_sd: Maybe('Standard deviation of the Sharpe ratios per session over the known trials.'),
        sd_basis: Type.Enum(['trials', 'asymptotic', 'single_trial'], {
          description:
            'How `sharpe_sd` was computed. `trials`: from the known trials. `asymptotic`: from the standard error of the ratio, because fewer than two trials are known. `single_trial`: nothing to deflate.',
        }),
      },
      { description: 'Number of trials.' },
    ),
    expected_maximum: Maybe(
      'Expected largest Sharpe ratio per session among the same number of trials without skill.',
    ),
    deflated_sharpe: Maybe('Probability that the true Sharpe ratio is above the expected maximum.'),
    overfitting: Nullable(
      Pbo,
      'Probability of backtest overfitting. Null with under two trials in this run.',
    ),
    reading: Type.Enum([...readings], {
      description:
        'The evidence in one word. `holds`: no objection. `chosen_by_luck_within_a_good_family`: the family works, but the choice within the family does not persist. `luck`: the best of the same number of trials without skill could reach this result. `too_short`: the history is shorter than the minimum track record.',
    }),
    text: Type.String({ description: 'The evidence as a sentence.' }),
  },
  {
    title: 'BacktestEvidence',
    description: 'Evidence on overfitting, based on the trials that the service counted.',
  },
);
