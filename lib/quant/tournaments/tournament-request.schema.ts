import Type, { type Static } from 'typebox';
import { Closed, Line } from '#lib/core/schema.ts';
import { HORIZON_MAX } from '#lib/forecasting/engine/limits.ts';
import { methodCatalogue } from '#lib/forecasting/engine/method-catalogue.ts';
import { Factor } from '#lib/models/registry/checkpoint.schema.ts';
import { CompanyId, Frequency, MetricName } from '#lib/forecasting/forecasts.schema.ts';
import { fitEntry, modelEntry, predictionsEntry } from './fit-entry.schema.ts';
import { RequestedPlan } from './rounds/live-plan.schema.ts';
import { StrategiesTask, strategyEntry } from './strategies/strategy-entry.schema.ts';
import { TOURNAMENT_LIMITS } from './tournament-limits.ts';

const { series, entries, origins, step, refit, window, resamples } = TOURNAMENT_LIMITS;
const methods = methodCatalogue.map(({ key }) => key);

export const TournamentName = Line(120, 'Name of the tournament, for people.', 'Prices, monthly');
export const EntryName = Type.String({
  pattern: '^[A-Za-z0-9][A-Za-z0-9_.:-]{0,79}$',
  description: 'Name of the entry, unique in the tournament.',
  examples: ['theta'],
});
export const TaskMetric = Closed(
  { metric: MetricName, company_id: Type.Optional(CompanyId) },
  { title: 'TournamentMetric', description: 'A metric, with its company if it is a company metric.' },
);
const seriesTask = {
  kind: Type.Literal('series', { description: 'Entries forecast series.' }),
  metrics: Type.Array(TaskMetric, {
    minItems: 1,
    maxItems: series,
    description: 'The metrics to forecast, 1 to 1,000, each once.',
  }),
};
const SeriesTask = Closed(
  {
    ...seriesTask,
    frequency: Type.Optional({
      ...Frequency,
      description: 'Frequency of all series. Default: the frequency in which each metric is observed.',
    }),
  },
  { title: 'SeriesTask', description: 'Series to forecast.' },
);
const DatasetTask = Closed(
  {
    kind: Type.Literal('dataset', { description: 'Entries predict a column of a numeric dataset.' }),
    id: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Id of a numeric dataset with dates, governed or built from sealed snapshots.',
      examples: [12],
    }),
    target: { ...Factor, description: 'Column to predict, `horizon` rows ahead.' },
  },
  { title: 'DatasetTask', description: 'A column of a numeric dataset to predict.' },
);
const Task = Type.Union([SeriesTask, DatasetTask, StrategiesTask], {
  description:
    'The series or the column that the entries predict, or the days on which strategies are simulated.',
});
export type DatasetTask = Static<typeof DatasetTask>;

const name = Type.Optional({ ...EntryName, description: 'Name of the entry. Default: its method.' });
const Statistical = Type.Enum(methods, {
  description: 'Key of a method of `GET /quant/statistical-models`.',
  examples: ['theta'],
});
const Combination = Type.Literal(true, {
  description: 'The combination of all methods that a forecast uses.',
});
export const RequestedEntry = Type.Union(
  [
    Closed(
      { statistical: Statistical, name },
      { title: 'StatisticalEntry', description: 'A statistical method.' },
    ),
    Closed(
      { combination: Combination, name },
      { title: 'CombinationEntry', description: 'The combination of all methods.' },
    ),
    Closed(
      { ...fitEntry, name },
      { title: 'FitEntry', description: 'A model that is fitted at each origin. Only for dataset tasks.' },
    ),
    Closed(
      { ...modelEntry, name },
      { title: 'ModelEntry', description: 'A version of a numeric model. Only for dataset tasks.' },
    ),
    Closed(
      { ...predictionsEntry, name },
      {
        title: 'PredictionsEntry',
        description:
          'Predictions that were made elsewhere. A series task must have a single series, and a horizon of 1 or `horizons: last`.',
      },
    ),
    Closed(
      { ...strategyEntry, name: EntryName },
      {
        title: 'StrategyEntry',
        description:
          'A strategy, with its own costs. Only for strategies tasks. All strategies must have the same frequency and currency.',
      },
    ),
  ],
  { description: 'An entry of the tournament.' },
);
export type RequestedEntry = Static<typeof RequestedEntry>;

export const baselinesOf = {
  series: ['auto', 'naive', 'seasonal_naive'],
  dataset: ['auto', 'last_value', 'mean'],
  strategies: ['auto', 'equal_weight'],
} as const;
export const Baseline = Type.Enum([...new Set(Object.values(baselinesOf).flat())], {
  default: 'auto',
  description:
    'Entry that is always added, and that the winner has to beat. Series: `naive` or `seasonal_naive`; `auto` is `seasonal_naive` if a series has a season, otherwise `naive`. Datasets: `last_value` (`auto`) or `mean`. Strategies: `equal_weight` (`auto`), equal weights of the universe of the first entry, traded every month at the terms of the first entry.',
});
export const Step = Type.Integer({
  minimum: 1,
  maximum: step,
  default: 1,
  description: 'Number of periods between origins.',
});
export const Most = Type.Integer({
  minimum: 1,
  maximum: origins,
  description:
    'Largest number of origins of a series; the newest are used. Series times origins times entries must be at most 500,000, where a combination counts as 30 entries. Default: 500, or less for many series.',
  examples: [120],
});
export const First = Type.Integer({
  minimum: 8,
  maximum: window,
  description:
    'Number of values before the first origin. Default: half of the values, but at least 8. For strategies: number of sessions up to the first origin. Default: 1; if an entry has variants, half of the sessions, but at least 8.',
  examples: [72],
});
export const Window = Type.Union(
  [
    Type.Literal('expanding', { description: 'Entries see all values before an origin.' }),
    Closed(
      {
        rolling: Type.Integer({
          minimum: 8,
          maximum: window,
          description: 'Number of values that entries see at an origin: the newest values before it.',
          examples: [60],
        }),
      },
      { title: 'RollingWindow', description: 'Entries see the newest values only.' },
    ),
  ],
  {
    description:
      'The values before an origin that entries see. Default: `expanding`. Strategies: the sessions in which an entry compares its variants; signals use the history that they need.',
  },
);
export const RefitEvery = Type.Integer({
  minimum: 1,
  maximum: refit,
  default: 1,
  description:
    'Number of origins after which the form of a method (such as the orders of an ARIMA model) and the weights of a combination are chosen again. Parameters of methods are estimated at every origin; numeric models are fitted again only at these origins. Strategies: number of origins between two choices among variants.',
});
export const Horizon = Type.Integer({
  minimum: 1,
  maximum: HORIZON_MAX,
  description:
    'Number of periods to forecast at each origin, 1 to 60. Strategies: number of sessions in a return; with `step` at least as large, returns do not overlap.',
  examples: [1],
});
export const Horizons = Type.Enum(['all', 'last'], {
  default: 'all',
  description:
    'How the loss of an origin is computed. `all`: the mean loss over the horizon. `last`: the loss of the last period. Dataset tasks always use `last`. Strategies use the return over the horizon.',
});
const Fraction = (description: string, example: number) =>
  Type.Number({ exclusiveMinimum: 0, exclusiveMaximum: 1, description, examples: [example] });
export const Loss = Type.Union(
  [
    Type.Enum(['absolute', 'squared', 'scaled', 'crps', 'sharpe'], {
      description:
        'The kind of loss. `absolute`: absolute error; `squared`: squared error; `scaled`: absolute error over the mean seasonal change of the known values; `crps`: ranked probability score of a normal distribution; `sharpe`: the negative Sharpe ratio, the only loss of strategies.',
    }),
    Closed(
      {
        pinball: Closed(
          { p: Fraction('Probability of the quantile.', 0.9) },
          { description: 'Loss of a quantile.' },
        ),
      },
      { title: 'PinballLoss', description: 'The loss of a quantile.' },
    ),
    Closed(
      {
        interval: Closed(
          { level: Fraction('Level of the interval.', 0.8) },
          { description: 'Score of an interval.' },
        ),
      },
      { title: 'IntervalLoss', description: 'The score of an interval (Winkler).' },
    ),
  ],
  {
    description:
      'The loss. Default: `absolute` for one series, `scaled` for several, `sharpe` for strategies.',
  },
);
export type Loss = Static<typeof Loss>;
export const Level = Type.Number({
  minimum: 0.5,
  maximum: 0.999,
  default: 0.9,
  description: 'Confidence level of the model confidence set.',
});
export const Resamples = Type.Integer({
  minimum: resamples.min,
  maximum: resamples.max,
  default: resamples.default,
  description: 'Number of resamples of the model confidence set.',
});
export const Seed = Type.Integer({
  minimum: 0,
  maximum: Number.MAX_SAFE_INTEGER,
  default: 0,
  description: 'Seed of the resamples. The same seed, request and data give a bit-identical result.',
});

export const TournamentRequest = Closed(
  {
    name: Type.Optional(TournamentName),
    task: Task,
    entries: Type.Array(RequestedEntry, {
      minItems: 1,
      maxItems: entries,
      description: 'The entries, at most 50. The baseline is entered in addition if it is not among them.',
    }),
    baseline: Type.Optional(Baseline),
    origins: Type.Optional(
      Closed(
        { first: Type.Optional(First), step: Type.Optional(Step), most: Type.Optional(Most) },
        { title: 'TournamentOrigins', description: 'The origins from which entries forecast.' },
      ),
    ),
    window: Type.Optional(Window),
    refit_every: Type.Optional(RefitEvery),
    horizon: Horizon,
    horizons: Type.Optional(Horizons),
    loss: Type.Optional(Loss),
    level: Type.Optional(Level),
    resamples: Type.Optional(Resamples),
    seed: Type.Optional(Seed),
    live: Type.Optional(RequestedPlan),
  },
  {
    title: 'TournamentRequest',
    description: 'The task, the entries, and how they are compared.',
  },
);
export type TournamentRequest = Static<typeof TournamentRequest>;
