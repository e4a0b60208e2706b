import Type, { type Static } from 'typebox';
import { Closed, Line, Nullable, Sha256Of, Uid } from '#lib/core/schema.ts';
import { ForecastInterval } from '#lib/forecasting/engine/forecast-result.schema.ts';
import { HORIZON_MAX, LEVELS_MAX } from '#lib/forecasting/engine/limits.ts';
import { CompanyId, Frequency, MetricName } from '#lib/forecasting/forecasts.schema.ts';

/** The largest number of totals, and of parts of a total. */
export const SUMS_MAX = 50;
export const PARTS_MAX = 100;
/** The largest number of forecasts that are reconciled together. */
export const FORECASTS_MAX = 200;

/** The prefix of forecasts. The manifest of the product declares it; schemas cannot read it from there. */
const ForecastUid = Uid('fct', 'The uid of a sealed forecast.');

const ForecastSum = Closed(
  {
    total: ForecastUid,
    parts: Type.Array(ForecastUid, {
      minItems: 1,
      maxItems: PARTS_MAX,
      uniqueItems: true,
      description: 'The forecasts that add up to the total.',
    }),
  },
  { title: 'ForecastSum', description: 'A total and the parts that add up to it.' },
);

const Sums = Type.Array(ForecastSum, {
  minItems: 1,
  maxItems: SUMS_MAX,
  description:
    'The sums that must hold. A part can itself be a total. A total can have several sums, such as one by region and one by product, if all of them come down to the same forecasts.',
});

export const reconciliationMethods = ['mint_shrink', 'wls_structural', 'ols', 'bottom_up'] as const;
export type ReconciliationMethod = (typeof reconciliationMethods)[number];

const Method = Type.Enum([...reconciliationMethods], {
  default: 'mint_shrink',
  description:
    '`mint_shrink` weights the forecasts by the shrunk covariance of their backtest errors, `wls_structural` by the number of forecasts in each total, `ols` equally. `bottom_up` adds up the forecasts that are not totals.',
});

const Reason = Line(500, 'Reason for the request. It is stored with the run.', 'Group budget 2027');

export const ReconciliationRequest = Closed(
  { sums: Sums, method: Type.Optional(Method), reason: Type.Optional(Reason) },
  {
    title: 'ReconciliationRequest',
    description: 'The forecasts to reconcile and the sums that must hold.',
    examples: [
      {
        sums: [
          {
            total: 'fct_01K8XQ5W3ZJ6T9R2M4N7P0QABC',
            parts: ['fct_01K8XQ5W3ZJ6T9R2M4N7P0QABD', 'fct_01K8XQ5W3ZJ6T9R2M4N7P0QABE'],
          },
        ],
      },
    ],
  },
);

const MetricOfForecast = {
  forecast: ForecastUid,
  metric: MetricName,
  company_id: Nullable(CompanyId, 'Id of the company of the metric; null for a metric without a company.'),
};

export const ReconciliationInput = Closed(
  {
    method: Method,
    reason: Nullable(Reason, 'Reason for the request; null if none was given.'),
    sums: Sums,
    forecasts: Type.Array(
      Closed({ ...MetricOfForecast, result_hash: Sha256Of('The `result_hash` of the forecast.') }),
      {
        minItems: 2,
        maxItems: FORECASTS_MAX,
        description: 'Every forecast of the sums, in the order in which the sums name them.',
      },
    ),
  },
  {
    title: 'ReconciliationInput',
    description: 'The request with its method, and the sealed forecasts that it names.',
  },
);

const Steps = (description: string) => Type.Array(Type.Number(), { maxItems: HORIZON_MAX, description });
const MeanError = (description: string) => Nullable(Type.Number({ minimum: 0 }), description);

export const ReconciledForecast = Closed(
  {
    ...MetricOfForecast,
    role: Type.Enum(['total', 'part'], {
      description: '`total` for a forecast with parts, `part` for a forecast without parts.',
    }),
    base_points: Steps('The points of the sealed forecast.'),
    points: Steps('The reconciled points.'),
    intervals: Type.Array(ForecastInterval, {
      maxItems: LEVELS_MAX,
      description:
        'The intervals of the sealed forecast, moved to the reconciled points and scaled by `width_ratio`.',
    }),
    width_ratio: Type.Number({
      minimum: 0,
      description:
        'Standard deviation of the reconciled forecast over that of the sealed forecast, both from the covariance of the backtest errors. 1 without backtest errors.',
    }),
    backtest: Closed(
      {
        base_mae: MeanError('Mean absolute error of the sealed method. Null without common backtest errors.'),
        mae: MeanError(
          'Mean absolute error after reconciliation. The covariance comes from the other origins. Null if no other origin has errors.',
        ),
      },
      {
        description:
          'Errors at the origins that the backtests of all forecasts have in common, in the unit of the prepared series: outliers are treated, and the calendar is adjusted for.',
      },
    ),
  },
  { title: 'ReconciledForecast', description: 'A forecast before and after reconciliation.' },
);

export const ReconciliationOutput = Closed(
  {
    frequency: Frequency,
    unit: Nullable(Type.String(), 'Unit of the values; null if unknown.'),
    currency: Nullable(
      Type.String({ pattern: '^[A-Z]{3}$', examples: ['EUR'] }),
      'Currency of money values; null for other units.',
    ),
    periods: Type.Array(Type.String(), {
      maxItems: HORIZON_MAX,
      description: 'The periods that the points refer to, in order.',
    }),
    shrinkage: Nullable(
      Type.Number({ minimum: 0, maximum: 1 }),
      'Weight of the diagonal in the covariance of the errors: 0 uses all covariances, 1 uses none. Null without common backtest errors.',
    ),
    errors: Type.Integer({
      minimum: 0,
      description: 'Number of backtest errors per forecast from which the covariance is estimated.',
    }),
    largest_gap: Steps('Largest absolute difference between a sealed total and its parts, for each period.'),
    clipped: Type.Integer({
      minimum: 0,
      description: 'Number of reconciled points of parts below 0 that were set to 0.',
    }),
    forecasts: Type.Array(ReconciledForecast, {
      maxItems: FORECASTS_MAX,
      description: 'The forecasts, in the order of the input.',
    }),
  },
  {
    title: 'ReconciliationOutput',
    description:
      'The reconciled forecasts. Every total equals the sum of its parts; the parts are added in the order of the first sum that names the total.',
  },
);

export type ReconciliationRequest = Static<typeof ReconciliationRequest>;
export type ReconciliationInput = Static<typeof ReconciliationInput>;
export type ReconciliationOutput = Static<typeof ReconciliationOutput>;
export type ReconciledForecast = Static<typeof ReconciledForecast>;
