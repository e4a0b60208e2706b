import { isUid, newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed } from '#lib/core/schema.ts';
import { ForecastBatch } from '#lib/planning/forecast-batch.entity.ts';
import { insertItems, listBatches, openRuns } from '#lib/planning/forecast-batch.repository.ts';
import { forecastOptionsOf } from '#lib/planning/forecast-input.repository.ts';
import { ForecastBatchRequest, ForecastBatchResource } from '#lib/planning/forecast-batch.schema.ts';
import { forecastsRun } from '#lib/planning/forecasts.run.ts';
import { forecastOptions } from '#lib/planning/forecasts.schema.ts';
import { API_PREFIX } from '../../derive/router.ts';
import { appliedPreference } from '../../runs.ts';
import { defineOperation } from '../../services.ts';
import { prepareItems } from './batch-items.ts';
import { BATCHES, isOver, presentBatch, readBatch, UNKNOWN_BATCH } from './batch-presenter.ts';

export const createForecastBatch = defineOperation({
  key: 'planning.forecasts.batches.create',
  product: 'Planning',
  method: 'POST',
  path: BATCHES,
  scope: 'planning:forecast:create',
  addition: true,
  summary: 'Asks for many forecasts at once; each becomes a sealed forecast of its own.',
  description:
    'All know the same: what was known at the moment of submission. They are spread over the workers, and let every ' +
    'other run of the workspace go before. What cannot be asked is refused by item; the others go on.',
  query: Closed(forecastOptions),
  body: ForecastBatchRequest,
  success: {
    status: 201,
    description: 'The batch, none of whose items is open.',
    schema: ForecastBatchResource,
  },
  accepted: ForecastBatchResource,
  problems: ['model_not_approved', 'queue_full', 'batch_too_large'],
  async handle(call) {
    const { services, body, query, requestId, caller, prefer } = call;
    const accepted = await services.once(call, async (em, later) => {
      const options = forecastOptionsOf(query);
      const now = services.clock.now();
      const { items, inputs, datasetRevisions } = await prepareItems(em, body, options, now);
      const runs = await services.runs.submitAll(em, forecastsRun, call, { inputs, datasetRevisions }, later);
      const uid = newUid(prefixes.forecastBatch);
      em.create(ForecastBatch, {
        uid,
        workspaceUid: caller.workspace,
        environment: caller.environment,
        applicationUid: caller.application,
        requestId,
        reason: body.reason ?? null,
        options: { ...options, non_negative: options.non_negative ?? null },
        items: items.length,
        createdAt: now,
        cancelledAt: null,
      });
      await em.flush();
      let next = 0;
      await insertItems(
        em,
        uid,
        items.map((item) => (item.problem ? item : { ...item, runUid: runs[next++]! })),
      );
      return { status: 202, body: { uid }, headers: { Location: `${API_PREFIX}${BATCHES}/${uid}` } };
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
  summary: 'Cancels the forecasts of a batch that have not ended. Cancelling again changes nothing.',
  description: 'What is sealed stays; what is being computed stops within seconds.',
  success: { status: 200, description: 'The batch.', schema: ForecastBatchResource },
  problems: ['not_found', 'precondition_failed'],
  async handle(call) {
    const { services, params, fail } = call;
    return services.once(call, async (em, later) => {
      const found = isUid(params.uid) ? await em.findOne(ForecastBatch, { uid: params.uid }) : null;
      const batch = found ?? fail('not_found', UNKNOWN_BATCH);
      const [seen] = await listBatches(em, { uid: batch.uid, most: 1 });
      call.requireMatch(presentBatch(seen!));
      const runs = { queue: forecastsRun.queue, uids: await openRuns(em, batch.uid) };
      const cancelled = await services.runs.cancelAll(em, runs, call, later);
      if (cancelled.length > 0) {
        batch.cancelledAt ??= services.clock.now();
        await em.flush();
      }
      const [left] = await listBatches(em, { uid: batch.uid, most: 1 });
      return { status: 200, body: presentBatch(left!) };
    });
  },
});
