import { Problem } from '#lib/core/problem.ts';
import { Closed } from '#lib/core/schema.ts';
import { cancelForecasts } from '#lib/forecasting/cancel-batch.command.ts';
import { submitForecastBatch } from '#lib/forecasting/submit-batch.command.ts';
import { listBatches, type CountedBatch } from '#lib/forecasting/forecast-batch.write.ts';
import { ForecastBatchRequest, ForecastBatchResource } from '#lib/forecasting/forecast-batch.schema.ts';
import { forecastOptions } from '#lib/forecasting/forecasts.schema.ts';
import { API_PREFIX } from '../../derive/router.ts';
import { appliedPreference } from '../../runs.ts';
import { defineOperation } from '../../services.ts';
import { tenantOf } from '../../tenant.ts';
import { BATCHES, isOver, presentBatch, readBatch } from './batch-presenter.ts';

export const createForecastBatch = defineOperation({
  key: 'planning.forecasts.batches.create',
  product: 'Planning',
  method: 'POST',
  path: BATCHES,
  scope: 'planning:forecast:create',
  addition: true,
  summary: 'Requests many forecasts at once. Each result is a separate sealed forecast.',
  description:
    'All forecasts use the data that was known when the batch was submitted. They are spread over the workers and run ' +
    'at the lowest priority in the workspace. An item that is not valid is refused; the other items are still forecast.',
  query: Closed(forecastOptions),
  body: ForecastBatchRequest,
  success: {
    status: 201,
    description: 'The batch, with no open items.',
    schema: ForecastBatchResource,
  },
  accepted: ForecastBatchResource,
  problems: ['model_not_approved', 'queue_full', 'batch_too_large'],
  async handle(call) {
    const { services, body, query, requestId, caller, prefer } = call;
    const submission = { place: tenantOf(caller), requestId, request: body, options: query };
    const accepted = await services.govern(call, submitForecastBatch, submission, {
      present: ({ result: { uid } }) => ({
        status: 202,
        body: { uid },
        headers: { Location: `${API_PREFIX}${BATCHES}/${uid}` },
      }),
      refuse({ detail }) {
        throw new Error(detail);
      },
      afterwards: ({ result }) => services.runs.dispatch(result.admitted),
    });
    const { uid } = accepted.body;
    const isOpen = async () => !isOver(await readBatch(services, uid));
    await services.runs.waitForIfSeated(call, uid, isOpen);
    const seen = await readBatch(services, uid);
    const headers = { ...accepted.headers, ...appliedPreference(prefer, isOver(seen)) };
    return isOver(seen)
      ? { status: 201, headers, body: seen! }
      : { status: 202, headers: { ...headers, 'Retry-After': '1' }, body: seen! };
  },
});

export const cancelForecastBatch = defineOperation({
  key: 'planning.forecasts.batches.cancel',
  product: 'Planning',
  method: 'POST',
  path: `${BATCHES}/{uid}/cancel`,
  scope: 'planning:forecast:create',
  addition: true,
  summary: 'Cancels the forecasts of a batch that have not ended. Repeating the call changes nothing.',
  description: 'Sealed forecasts are kept. Forecasts that are being computed stop within seconds.',
  success: { status: 200, description: 'The batch.', schema: ForecastBatchResource },
  problems: ['not_found', 'precondition_failed'],
  async handle(call) {
    const { services, params } = call;
    const requireCurrent = (batch: CountedBatch) => call.requireMatch(presentBatch(batch));
    const input = { uid: params.uid, requestId: call.requestId, requireCurrent };
    return services.govern(call, cancelForecasts, input, {
      async present({ result }, query) {
        const [left] = await query(listBatches, { uid: result.uid, limit: 1 });
        return { status: 200, body: presentBatch(left!) };
      },
      refuse: ({ detail }) => new Problem('not_found', detail),
      afterwards: ({ result }) => services.runs.dispatch(result.admitted),
    });
  },
});
