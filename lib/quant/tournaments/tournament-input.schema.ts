import Type, { type Static } from 'typebox';
import { Closed, InstantOf, Nullable } from '#lib/core/schema.ts';
import { CompanyId, Frequency, MetricName } from '#lib/forecasting/forecasts.schema.ts';
import { forecastModels } from '#lib/forecasting/engine/forecast-models.ts';
import { Factor, TrainingSet } from '#lib/models/registry/checkpoint.schema.ts';
import { resolvedEntryMembers } from './fit-entry.schema.ts';
import { LivePlan } from './rounds/live-plan.schema.ts';
import { EnteredStrategy, StrategyDays } from './strategies/strategy-entry.schema.ts';
import { TOURNAMENT_LIMITS } from './tournament-limits.ts';
import {
  Baseline,
  EntryName,
  First,
  Horizon,
  Horizons,
  Level,
  Loss,
  Most,
  RefitEvery,
  Resamples,
  Seed,
  Step,
  TournamentName,
  Window,
} from './tournament-request.schema.ts';

export const taskKinds = ['series', 'dataset', 'strategies'] as const;
export const entryKinds = [
  ...(['statistical', 'combination', 'mean', 'fit', 'model', 'predictions'] as const),
  'strategy',
] as const;

export const ResolvedEntry = Closed(
  {
    name: EntryName,
    kind: Type.Enum([...entryKinds], { description: 'Kind of the entry. `mean` is a baseline.' }),
    method: Nullable(
      Type.String({ maxLength: 80, description: 'Key of the method.', examples: ['theta'] }),
      'Key of the method; null for an entry that is not a method.',
    ),
    forecast_model: Type.Optional(
      Type.Enum([...forecastModels], {
        description:
          'Forecast model of a combination. Absent in tournaments that were sealed before `svc_forecast_combination_v3` existed; their combinations use version 2.',
      }),
    ),
    ...resolvedEntryMembers,
    strategy: Type.Optional(EnteredStrategy),
  },
  { title: 'TournamentEntry', description: 'An entry with every default filled in.' },
);
export type ResolvedEntry = Static<typeof ResolvedEntry>;

export const TournamentInput = Closed(
  {
    name: Nullable(TournamentName, 'Name of the tournament; null if none was given.'),
    task: Type.Enum([...taskKinds], { description: 'Kind of the task.' }),
    metrics: Type.Array(
      Closed(
        {
          metric: MetricName,
          company_id: Nullable(CompanyId, 'Company of the metric; null for a metric without a company.'),
        },
        { description: 'A metric.' },
      ),
      {
        maxItems: TOURNAMENT_LIMITS.series,
        description: 'The metrics to forecast; empty for other tasks.',
      },
    ),
    dataset: Nullable(
      Closed(
        {
          ...TrainingSet.properties,
          target: { ...Factor, description: 'Column to predict.' },
          columns: Type.Array(Factor, { description: 'Columns that are read.' }),
        },
        { description: 'The content of a dataset.' },
      ),
      'The dataset of a dataset task; null for other tasks.',
    ),
    strategies: Type.Optional(StrategyDays),
    frequency: Nullable(Frequency, 'Requested frequency; null for the frequency of each metric.'),
    as_of: InstantOf('Time of submission. Only data known at that time is used.'),
    entries: Type.Array(ResolvedEntry, {
      minItems: 1,
      maxItems: TOURNAMENT_LIMITS.entries,
      description: 'The entries in the order of the request, without an added baseline.',
    }),
    baseline: Baseline,
    first: Nullable(First, 'Number of values before the first origin; null for the default.'),
    step: Step,
    most: Most,
    window: Window,
    refit_every: RefitEvery,
    horizon: Horizon,
    horizons: Horizons,
    loss: Loss,
    level: Level,
    resamples: Resamples,
    seed: Seed,
    live: Type.Optional(LivePlan),
  },
  { title: 'TournamentInput', description: 'The request with every default filled in.' },
);
export type TournamentInput = Static<typeof TournamentInput>;
