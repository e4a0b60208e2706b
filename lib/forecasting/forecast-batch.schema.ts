import Type, { type Static } from 'typebox';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, InstantOf, Nullable, ProblemSchema, RequestId, Sha256, Uid } from '#lib/core/schema.ts';
import { BATCH_ITEMS_MAX, batchStates, itemStates } from './forecast-batch.ts';
import { ForecastInput, ForecastRequest } from './forecasts.schema.ts';

const { metric, company_id, horizon, reason } = ForecastRequest.properties;
const { method, levels, calendar, frequency } = ForecastInput.properties;

export const ForecastBatchRequest = Closed(
  {
    items: Type.Array(
      Closed(
        { metric, company_id, horizon },
        { title: 'ForecastBatchItemRequest', description: 'One forecast.' },
      ),
      { minItems: 1, maxItems: BATCH_ITEMS_MAX, description: 'The forecasts that are asked for.' },
    ),
    reason,
  },
  {
    title: 'ForecastBatchRequest',
    description: 'Many forecasts with the same options.',
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
      description: 'Finished when no item is open, whatever became of them.',
    }),
    progress: Type.Number({ minimum: 0, maximum: 1, description: 'Share of the items that are not open.' }),
    items: Type.Integer({ minimum: 1, maximum: BATCH_ITEMS_MAX, description: 'How many were asked for.' }),
    counts: Closed(
      {
        queued: Count('Not begun.'),
        running: Count('Being computed.'),
        succeeded: Count('Sealed.'),
        failed: Count('Refused by what was known of the metric, or failed.'),
        cancelled: Count('Cancelled.'),
        refused: Count('Not accepted: there is no such metric or company, or no such horizon.'),
      },
      { description: 'Items by what became of them.' },
    ),
    options: Closed(
      {
        method,
        levels,
        calendar,
        frequency,
        non_negative: Nullable(
          Type.Boolean(),
          'Whether points and bounds are at least 0; null where the metric says so itself.',
        ),
      },
      { description: 'The options of all items.' },
    ),
    reason: ForecastInput.properties.reason,
    request_id: RequestId('The request that submitted it.'),
    created_at: InstantOf('When it was submitted.'),
    cancelled_at: Nullable(
      InstantOf('When it was cancelled.'),
      'When it was cancelled; null where it was not.',
    ),
  },
  { title: 'ForecastBatch', description: 'Forecasts that were asked for together.' },
);

export const ForecastBatchItemResource = Closed(
  {
    position: Type.Integer({
      minimum: 0,
      maximum: BATCH_ITEMS_MAX,
      description: 'Place in the request, from 0.',
    }),
    uid: Nullable(Uid(prefixes.forecast, 'The forecast.'), 'The forecast; null where it was not accepted.'),
    metric,
    company_id: ForecastInput.properties.company_id,
    horizon,
    state: Type.Enum([...itemStates], { description: 'What became of it.' }),
    result_hash: Nullable(Sha256, 'SHA-256 of the RFC 8785 form of the result; null without one.'),
    problem: Nullable(ProblemSchema, 'Why it has no result; null where nothing went wrong.'),
  },
  { title: 'ForecastBatchItem', description: 'One forecast of a batch.' },
);

export type ForecastBatchRequest = Static<typeof ForecastBatchRequest>;
