import Type, { type Static } from 'typebox';
import { Closed, IsoDate, Nullable } from '#lib/core/schema.ts';
import { Count, DateOf, Maybe, Share } from '#lib/investment/risk/risk-members.schema.ts';
import { Performance } from '#lib/investment/risk/risk-result.schema.ts';
import { BACKTEST_LIMITS } from '../backtests/backtest-limits.ts';
import { Knowledge } from '../backtests/backtest-members.schema.ts';
import { ParameterSet } from '../strategies/strategy.schema.ts';
import { Evidence } from '../trials/evidence.schema.ts';
import { SEARCH_LIMITS } from './optimization-limits.ts';

const Parameters = { ...ParameterSet, description: 'Parameters by name.' };

export const verdicts = [
  'recommended',
  'overfit',
  'not_deflated',
  'not_better_than_baseline',
  'unstable',
  'in_sample_only',
  'no_feasible_trial',
] as const;

const ListedTrial = Closed(
  {
    number: Count('Number of the trial, from 0.'),
    parameters: Parameters,
    objective: Maybe('Objective over all sessions. Null if it is not defined.'),
    feasible: Type.Boolean({ description: 'Whether the requirements are met over all sessions.' }),
  },
  { title: 'SearchTrial', description: 'A trial.' },
);

const Range = Closed(
  { from: DateOf('First session.'), to: DateOf('Last session.'), sessions: Count('Number of sessions.') },
  { description: 'A range of sessions.' },
);

const SearchFold = Closed(
  {
    train: Range,
    test: Range,
    chosen: Nullable(
      Parameters,
      'Parameters with the best objective in training. Null without a feasible trial.',
    ),
    train_objective: Maybe('Objective of the chosen trial in training.'),
    test_objective: Maybe('Objective of the chosen trial in the test.'),
    rank_of_chosen_in_test: Nullable(
      Share('Share of the trials that the chosen trial beats or ties in the test.'),
      'Relative rank in the test: 1 is the best. Null without a chosen trial.',
    ),
  },
  { title: 'SearchFold', description: 'A fold: the choice in training, and its outcome in the test.' },
);

export const OptimizationResult = Closed(
  {
    first_date: DateOf('First session.'),
    last_date: DateOf('Last session.'),
    sessions: Count('Number of sessions.'),
    points: Count('Trials of the search.'),
    failed: Count(
      'Number of trials with parameters that are not valid, that do not meet the condition, or that cannot be simulated.',
    ),
    recommended: Nullable(Parameters, 'Recommended parameters. Null if the evidence does not support any.'),
    verdict: Type.Enum([...verdicts], {
      description:
        'Why parameters are recommended or not. `overfit`: probability of overfitting above 0.5. `not_deflated`: deflated Sharpe ratio below 0.95. `not_better_than_baseline`: the Sharpe ratio is not significantly above that of the baseline (p > 0.05). `unstable`: the choice changes in more than 80 % of the folds, and the median objective of the neighbours of the best point is less than half of the objective of the best point. `in_sample_only`: there are no test ranges. `no_feasible_trial`: no trial meets the requirements.',
    }),
    best_in_sample: Nullable(
      ListedTrial,
      'The best feasible trial over all sessions; null if there is none.',
    ),
    baseline: Closed(
      {
        parameters: Parameters,
        objective: Maybe('Objective over all sessions.'),
        sharpe_difference_p: Maybe(
          'One-sided p-value of the test that the Sharpe ratio of the best trial is above that of the baseline (Ledoit and Wolf 2008).',
        ),
      },
      { description: 'The baseline.' },
    ),
    folds: Type.Array(SearchFold, { maxItems: 200, description: 'Folds, oldest first.' }),
    out_of_sample: Nullable(
      Closed(
        {
          performance: Performance,
          date: Type.Array(IsoDate, {
            maxItems: BACKTEST_LIMITS.sessions,
            description: 'Dates of the returns.',
          }),
          return: Type.Array(Type.Number(), {
            maxItems: BACKTEST_LIMITS.sessions,
            description: 'Returns of the chosen trials in their test ranges, one after the other.',
          }),
        },
        { description: 'The chosen trials in their test ranges.' },
      ),
      'The chosen trials in their test ranges. Null without test ranges, or if a fold has no choice.',
    ),
    degradation: Maybe(
      'Slope of the regression of the test objective on the training objective over the folds. Null with fewer than three folds.',
    ),
    plateau: Maybe(
      'Median objective of the neighbours of the best point, divided by the objective of the best point.',
    ),
    parameter_stability: Nullable(
      Closed(
        {
          changed: Maybe(
            'Share of the folds after the first that choose another point than the fold before.',
          ),
          distinct: Count('Number of different points that the folds choose.'),
        },
        { description: 'How much the choice changes.' },
      ),
      'How much the choice changes over the folds. Null without folds.',
    ),
    evidence: Evidence,
    trials: Type.Array(ListedTrial, {
      maxItems: SEARCH_LIMITS.listed,
      description: 'The best 200 trials. The attachment `trials` has all of them.',
    }),
    knowledge: Knowledge,
  },
  { title: 'OptimizationResult', description: 'The trials of a search, its folds, and the verdict.' },
);
export type OptimizationResult = Static<typeof OptimizationResult>;

const maxItems = SEARCH_LIMITS.trials;

/** All trials of a search by columns. */
export const SearchTrials = Closed(
  {
    parameters: Type.Array(Parameters, { maxItems, description: 'Parameters of each trial.' }),
    objective: Type.Array(Nullable(Type.Number(), 'The objective; null if it is not defined.'), {
      maxItems,
      description: 'Objectives over all sessions.',
    }),
    sharpe: Type.Array(Nullable(Type.Number(), 'The Sharpe ratio; null if the returns do not vary.'), {
      maxItems,
      description: 'Sharpe ratios per session.',
    }),
    trial_hash: Type.Array(
      Nullable(Type.String(), 'The hash of the trial; null if the trial was not simulated.'),
      {
        maxItems,
        description: 'Hashes that identify trials, so that each trial is counted once.',
      },
    ),
  },
  { title: 'SearchTrials', description: 'All trials by columns.' },
);
export type SearchTrials = Static<typeof SearchTrials>;
