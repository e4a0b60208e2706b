import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, ProblemSchema, RequestId, Sha256, Uid } from '#lib/core/schema.ts';
import { BATCH_ITEMS_MAX, batchStates, itemStates } from './forecast-batch.ts';
import { ForecastInput, ForecastRequest } from './forecasts.schema.ts';

const { metric, company_id, horizon, reason } = ForecastRequest.properties;
const { method, levels, calendar, holidays, frequency } = ForecastInput.properties;

export const ForecastBatchRequest = Closed(
  {
    items: Type.Array(
      Closed(
        { metric, company_id, horizon },
        { title: 'ForecastBatchItemRequest', description: 'One forecast of a batch request.' },
      ),
      { minItems: 1, maxItems: BATCH_ITEMS_MAX, description: 'The requested forecasts.' },
    ),
    reason,
  },
  {
    title: 'ForecastBatchRequest',
    description: 'A batch of forecasts with shared options.',
    examples: [
      {
        items: [
          { metric: 'revenue', company_id: 1, horizon: 12 },
          { metric: 'economics.GDPC1', horizon: 8 },
        ],
        reason: 'Budget 2027',
      },
    ],
  },
);

const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: BATCH_ITEMS_MAX, description, examples: [0] });

export const ForecastBatchResource = Closed(
  {
    uid: Uid(prefixes.forecastBatch, 'The batch.'),
    state: Type.Enum([...batchStates], {
      description:
        'State of the batch. It is `finished` when no item is open, even if items failed or were refused.',
    }),
    progress: Type.Number({
      minimum: 0,
      maximum: 1,
      description: 'Share of the items that are no longer open.',
    }),
    items: Type.Integer({
      minimum: 1,
      maximum: BATCH_ITEMS_MAX,
      description: 'Number of forecasts requested.',
    }),
    counts: Closed(
      {
        queued: Count('Number of items that have not started.'),
        running: Count('Number of items being computed.'),
        succeeded: Count('Number of sealed forecasts.'),
        failed: Count(
          'Number of items that failed, or were refused because the known data does not allow a forecast.',
        ),
        cancelled: Count('Number of cancelled items.'),
        refused: Count(
          'Number of items that were not accepted, because the metric, company or horizon is not valid.',
        ),
      },
      { description: 'Number of items by state.' },
    ),
    options: Closed(
      {
        method,
        levels,
        calendar,
        holidays,
        frequency,
        non_negative: Nullable(
          Type.Boolean(),
          'Whether point forecasts and interval bounds below 0 are set to 0. Null: true for metrics that cannot be below 0.',
        ),
      },
      { description: 'The options shared by all items.' },
    ),
    reason: ForecastInput.properties.reason,
    request_id: RequestId('Id of the request that submitted the batch.'),
    created_at: InstantOf('Time of submission.'),
    cancelled_at: Nullable(
      InstantOf('Time of cancellation.'),
      'Time of cancellation; null if the batch was not cancelled.',
    ),
  },
  { title: 'ForecastBatch', description: 'A batch of forecasts that were requested together.' },
);

export const ForecastBatchItemResource = Closed(
  {
    position: Type.Integer({
      minimum: 0,
      maximum: BATCH_ITEMS_MAX,
      description: 'Index of the item in the request, from 0.',
    }),
    uid: Nullable(
      Uid(prefixes.forecast, 'The uid of the forecast.'),
      'The forecast; null if the item was not accepted.',
    ),
    metric,
    company_id: ForecastInput.properties.company_id,
    horizon,
    state: Type.Enum([...itemStates], { description: 'State of the item.' }),
    result_hash: Nullable(Sha256, 'SHA-256 of the RFC 8785 form of the result; null without a result.'),
    problem: Nullable(ProblemSchema, 'Problem that explains a missing result; null if there is none.'),
  },
  { title: 'ForecastBatchItem', description: 'One forecast of a batch.' },
);

export type ForecastBatchRequest = Static<typeof ForecastBatchRequest>;
