import Type, { type Static } from 'typebox';
import { Closed, Nullable, Sha256Of } from '#lib/core/schema.ts';
import { CompanyId, Frequency } from '#lib/forecasting/forecasts.schema.ts';
import { Count, Maybe, Share } from '#lib/investment/risk/risk-members.schema.ts';
import { failureReasons, observationKinds, strategyFailureReasons } from './outcome-codes.ts';
import { ResolvedEntry } from './tournament-input.schema.ts';
import { OBSERVATIONS_NEEDED, TOURNAMENT_LIMITS } from './tournament-limits.ts';
import { EntryName } from './tournament-request.schema.ts';
import { leftOutReasons } from './tournament-series.ts';
import { tournamentVerdicts } from './tournament-verdict.ts';

const ENTRIES_MAX = TOURNAMENT_LIMITS.entries + 1;
const Named = (description: string) => ({ ...EntryName, description });
const Target = Type.String({
  maxLength: 100,
  description: 'The metric, the target column of a dataset, or `returns` for strategies.',
  examples: ['economics.CPIAUCNS'],
});
const Period = (description: string) =>
  Type.String({ minLength: 4, maxLength: 10, description, examples: ['2024-03'] });

const Test = Closed(
  {
    statistic: Maybe(
      'Statistic with the correction of Harvey, Leybourne and Newbold; below 0 if the entry has smaller losses.',
    ),
    p: Maybe('Two-sided p-value, Student t.'),
    p_holm: Maybe('The p-value, adjusted by the Holm method for all tests against the same entry.'),
    reason: Nullable(
      Type.Enum(['equal_losses', 'zero_variance', 'too_few'], {
        description: 'Why there is no test.',
      }),
      'Why there is no test: equal losses, losses that differ by a constant, or too few losses. Null with a test.',
    ),
  },
  { title: 'LossTest', description: 'A test of equal accuracy by Diebold and Mariano.' },
);

const LeaderboardRow = Closed(
  {
    entry: Named('The entry.'),
    is_baseline: Type.Boolean({ description: 'Whether the entry is the baseline.' }),
    rank: Type.Number({
      minimum: 1,
      description: 'Rank of the mean loss; equal mean losses share their mean rank.',
    }),
    mean_loss: Type.Number({
      description:
        'Mean loss over the observations. For strategies: the negative Sharpe ratio of the returns over the horizon, not annualised.',
    }),
    skill: Maybe(
      '1 - mean loss / mean loss of the baseline. Null for strategies, and if the baseline has no loss above 0.',
    ),
    in_set: Type.Boolean({ description: 'Whether the entry is in the model confidence set.' }),
    set_p: Share('p-value of the entry for the model confidence set.'),
    against_best: Nullable(Test, 'Test against the best entry; null for the best entry.'),
    against_baseline: Nullable(Test, 'Test against the baseline; null for the baseline.'),
    average_rank: Maybe('Mean rank of the loss over the series. Null with one series.'),
    rank_p: Maybe('p-value of the mean rank against the best mean rank (Nemenyi). Null with one series.'),
  },
  { title: 'LeaderboardRow', description: 'An entry on the leaderboard.' },
);

const Ranks = Closed(
  {
    series: Count('Number of series that are ranked.'),
    friedman: Nullable(
      Closed(
        {
          statistic: Type.Number({ description: 'Statistic, with the correction for ties.' }),
          degrees: Count('Degrees of freedom.'),
          p: Share('p-value by the chi-square distribution.'),
          f: Maybe('Statistic of Iman and Davenport. Null if all series have the same ranks.'),
          f_p: Maybe('p-value of the F statistic.'),
        },
        { description: 'The Friedman test.' },
      ),
      'Friedman test of equal ranks. Null if all losses are tied.',
    ),
    critical_distance: Type.Number({
      description:
        'Critical difference (Nemenyi): mean ranks that differ by more are significantly different at the 5 % level.',
    }),
  },
  { title: 'TournamentRanks', description: 'The comparison of mean ranks over the series.' },
);

const TournamentSeries = Closed(
  {
    metric: Target,
    company_id: Nullable(CompanyId, 'Company of the metric; null for a metric without a company.'),
    frequency: Nullable(Frequency, 'Frequency; null if the series could not be read, and for a dataset.'),
    unit: Nullable(Type.String({ maxLength: 200, description: 'Unit.' }), 'Unit; null if unknown.'),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', description: 'Currency.', examples: ['EUR'] }),
      'Currency of money values; null for other units.',
    ),
    periods: Count('Number of periods that were read.'),
    origins: Count('Number of origins.'),
    first_origin: Nullable(
      Period('First origin.'),
      'Last known period of the first origin; null if there is no origin.',
    ),
    last_origin: Nullable(
      Period('Last origin.'),
      'Last known period of the last origin; null if there is no origin.',
    ),
    left_out: Nullable(
      Type.Enum([...leftOutReasons], { description: 'Why the series takes no part.' }),
      'Why the series takes no part: no values, another frequency, several currencies, values that are not finite, or no origin. Null if it takes part.',
    ),
    observations_sha256: Nullable(
      Sha256Of('Hash of the frequency, the first period and the values.'),
      'SHA-256 of the RFC 8785 form of `{frequency, first_period, values}`. Null if the series could not be read.',
    ),
  },
  { title: 'TournamentSeries', description: 'A series of the tournament.' },
);

export const TournamentResult = Closed(
  {
    state: Type.Enum(['resolved', 'void'], {
      description: 'The state: `resolved`, or `void` if fewer than two entries are left.',
    }),
    winner: Nullable(
      EntryName,
      'The winner: alone in the model confidence set, not the baseline, and different from it (p < 0.05, Holm). Null if there is none.',
    ),
    verdict: Type.Enum([...tournamentVerdicts], {
      description:
        'Why there is a winner, or why there is none. `baseline_best`: the baseline has the smallest mean loss. `baseline_in_set`: the baseline is in the model confidence set. `tie`: several entries are in the set, or equal losses are the smallest. `not_significant`: the only entry in the set does not differ from the baseline. `void`: fewer than two entries are left.',
    }),
    leaders: Type.Array(Named('An entry.'), {
      maxItems: ENTRIES_MAX,
      description: 'The entries in the model confidence set.',
    }),
    baseline: Named('The baseline.'),
    entries: Type.Array(ResolvedEntry, {
      maxItems: ENTRIES_MAX,
      description: 'All entries, with the baseline.',
    }),
    losses_sha256: Sha256Of('SHA-256 of the RFC 8785 form of `losses`, computed before the ranks.'),
    observations: Closed(
      {
        kind: Type.Enum([...observationKinds], {
          description:
            'Kind of the observations: an origin of the only series; a period, with the mean over 2 to 19 series; or a series, from 20 series on, with the mean over its origins.',
        }),
        count: Count(`Number of observations that are compared, at least ${OBSERVATIONS_NEEDED}.`),
        origins: Count('Number of origins of all series.'),
        overlap: Type.Integer({
          minimum: 1,
          description: 'Number of consecutive observations whose forecasts overlap.',
        }),
      },
      { description: 'The observations that entries are compared on.' },
    ),
    leaderboard: Type.Array(LeaderboardRow, {
      maxItems: ENTRIES_MAX,
      description: 'The entries that are compared, by rank. Empty if the tournament is void.',
    }),
    confidence_set: Nullable(
      Closed(
        {
          level: Share('Confidence level.'),
          resamples: Count('Number of resamples.'),
          block: Count('Number of observations in a block of the circular bootstrap.'),
        },
        { description: 'The model confidence set by Hansen, Lunde and Nason, range statistic.' },
      ),
      'How the model confidence set was computed. Null if the tournament is void.',
    ),
    ranks: Nullable(Ranks, 'Comparison of mean ranks. Null with one series, or if the tournament is void.'),
    disqualified: Type.Array(
      Closed(
        {
          entry: Named('The entry.'),
          metric: Target,
          origin: Period('Last known period of the first origin without a forecast.'),
          reason: Type.Enum([...failureReasons, ...strategyFailureReasons], {
            description:
              'Why there is no forecast. `not_applicable`: the method does not support the known values. `not_finite`: the loss is not finite. `no_spread`: the method has no standard errors, which the loss needs. Strategies: `bankrupt`, no value is left at the origin; `constant_returns`, the returns do not vary; other words are the codes with which a backtest is refused.',
          }),
        },
        { title: 'Disqualification', description: 'An entry that has no forecast at an origin.' },
      ),
      {
        maxItems: ENTRIES_MAX,
        description: 'Entries without a forecast at some origin. They are not compared.',
      },
    ),
    trials: Type.Optional(
      Type.Array(
        Closed(
          {
            entry: Named('The entry.'),
            variant: Count('0 for the parameters of the entry, otherwise the number of the variant.'),
            family: Sha256Of('Family of the strategy. The trials of a family are counted together.'),
            sharpe: Maybe(
              'Sharpe ratio per session over all sessions of the strategy. Null without a simulation, or if the returns do not vary.',
            ),
          },
          { title: 'TournamentTrial', description: 'A strategy that was simulated.' },
        ),
        {
          maxItems: TOURNAMENT_LIMITS.strategies,
          description:
            'The strategies that were entered, with their variants. Later backtests count each strategy and each variant as a trial of its family.',
        },
      ),
    ),
    series: Type.Array(TournamentSeries, {
      maxItems: TOURNAMENT_LIMITS.series,
      description: 'The series, in the order of the task.',
    }),
  },
  { title: 'TournamentResult', description: 'The outcome of a tournament.' },
);
export type TournamentResult = Static<typeof TournamentResult>;

export const TournamentLosses = Closed(
  {
    series: Type.Array(Count('Place of the series in `series`.'), {
      description: 'Series of each origin.',
    }),
    origin: Type.Array(Period('Last known period.'), { description: 'Last known period of each origin.' }),
    losses: Type.Array(
      Closed(
        {
          entry: Named('The entry.'),
          sha256: Sha256Of('SHA-256 of the RFC 8785 form of `values`.'),
          values: Type.Array(Maybe('Loss; null without a forecast.'), { description: 'Losses by origin.' }),
          chosen: Type.Optional(
            Type.Array(Count('0 for the parameters of the entry, otherwise the number of the variant.'), {
              description: 'Parameter set in use at each origin, for a strategy with variants.',
            }),
          ),
        },
        { title: 'EntryLosses', description: 'The losses of an entry.' },
      ),
      { maxItems: ENTRIES_MAX, description: 'Losses of every entry, including disqualified entries.' },
    ),
  },
  { title: 'TournamentLosses', description: 'The losses of all entries at all origins.' },
);
export type TournamentLosses = Static<typeof TournamentLosses>;
