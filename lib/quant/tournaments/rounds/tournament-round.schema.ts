import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { HORIZON_MAX } from '#lib/forecasting/engine/limits.ts';
import { CompanyId, Frequency } from '#lib/forecasting/forecasts.schema.ts';
import { failureReasons } from '../outcome-codes.ts';
import { TournamentInput } from '../tournament-input.schema.ts';
import { EntryName } from '../tournament-request.schema.ts';
import { leftOutReasons } from '../tournament-series.ts';
import { ROUND_LIMITS } from './live-plan.schema.ts';

const { metrics, frequency, window, horizon, horizons, loss, entries } = TournamentInput.properties;

export const RoundNumber = Type.Integer({
  minimum: 1,
  maximum: ROUND_LIMITS.rounds,
  description: 'Number of the round, from 1.',
  examples: [1],
});
const TournamentUid = Uid(prefixes.modelTournament, 'The tournament.');

export const RoundRequest = Closed({ tournament_uid: TournamentUid, round: RoundNumber });

export const RoundInput = Closed(
  {
    tournament_uid: TournamentUid,
    round: RoundNumber,
    metrics,
    frequency,
    as_of: InstantOf('Time of the close. Only data known at that time is used.'),
    entries: { ...entries, description: 'All entries, with the baseline.' },
    baseline: { ...EntryName, description: 'The baseline.' },
    window,
    horizon,
    horizons,
    loss,
  },
  { title: 'TournamentRoundInput', description: 'The round, its entries and the data that they may see.' },
);
export type RoundInput = Static<typeof RoundInput>;

const Metric = Type.String({ maxLength: 100, description: 'The metric.', examples: ['economics.CPIAUCNS'] });
const Period = (description: string) =>
  Type.String({ minLength: 4, maxLength: 10, description, examples: ['2024-03'] });

const RoundSeries = Closed(
  {
    metric: Metric,
    company_id: Nullable(CompanyId, 'Company of the metric; null for a metric without a company.'),
    frequency: Frequency,
    origin: Nullable(Period('Last known period.'), 'Last known period; null if the series takes no part.'),
    periods: Type.Array(Period('A period.'), {
      maxItems: HORIZON_MAX,
      description: 'The periods that are forecast. None of their values was known at the close.',
    }),
    scale: Type.Number({
      minimum: 0,
      description: 'Mean seasonal change of the known values, by which the loss `scaled` divides.',
    }),
    left_out: Nullable(
      Type.Enum([...leftOutReasons], { description: 'Why the series takes no part.' }),
      'Why the series takes no part. Null if it takes part.',
    ),
  },
  { title: 'TournamentRoundSeries', description: 'A series of a round.' },
);

const Numbers = (description: string) => Type.Array(Type.Number(), { maxItems: HORIZON_MAX, description });

export const RoundForecasts = Closed(
  {
    forecasts: Type.Array(
      Closed(
        {
          series: Type.Integer({ minimum: 0, description: 'Place of the series in `result.series`.' }),
          entry: EntryName,
          points: Numbers('Point forecasts by period.'),
          standard_errors: Nullable(
            Numbers('Standard errors by period.'),
            'Standard errors; null if there are none.',
          ),
        },
        { title: 'TournamentForecast', description: 'The forecast of an entry for a series.' },
      ),
      { description: 'The forecasts, by series and entry.' },
    ),
  },
  { title: 'TournamentForecasts', description: 'The forecasts of a round.' },
);
export type RoundForecasts = Static<typeof RoundForecasts>;

export const RoundResult = Closed(
  {
    series: Type.Array(RoundSeries, { maxItems: ROUND_LIMITS.series, description: 'The series.' }),
    forecasts_sha256: Sha256Of('SHA-256 of the RFC 8785 form of `forecasts`.'),
    failures: Type.Array(
      Closed(
        {
          entry: EntryName,
          metric: Metric,
          origin: Period('Last known period.'),
          reason: Type.Enum([...failureReasons, 'no_prediction'], {
            description:
              'Why there is no forecast. `not_applicable`: the method does not support the known values. `not_finite`: the forecast is not finite. `no_spread`: the method has no standard errors, which the loss needs. `no_prediction`: the dataset has no prediction for the origin.',
          }),
        },
        { title: 'TournamentRoundFailure', description: 'An entry without a forecast for a series.' },
      ),
      { description: 'Entries without a forecast for a series. They have no loss in this round.' },
    ),
  },
  {
    title: 'TournamentRoundResult',
    description: 'The forecasts of a round, sealed before the values are known.',
  },
);
export type RoundResult = Static<typeof RoundResult>;
