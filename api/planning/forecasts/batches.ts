import Type from 'typebox';
import { isUid, newUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { ForecastBatch } from '#lib/planning/forecast-batch.entity.ts';
import {
  insertItems,
  listBatches,
  listItems,
  openRuns,
  type CountedBatch,
  type ListedItem,
} from '#lib/planning/forecast-batch.repository.ts';
import {
  ForecastBatchItemResource,
  ForecastBatchRequest,
  ForecastBatchResource,
} from '#lib/planning/forecast-batch.schema.ts';
import { batchStanding, itemStates } from '#lib/planning/forecast-batch.ts';
import { forecastsJob } from '#lib/planning/forecasts.job.ts';
import { forecastOptions } from '#lib/planning/forecasts.schema.ts';
import { servingVersion } from '#lib/registry/model.repository.ts';
import { API_PREFIX } from '../../derive/router.ts';
import { listReply } from '../../http/page.ts';
import { appliedPreference, presentProblem } from '../../runs.ts';
import { defineOperation, type Services } from '../../services.ts';
import { prepareItems } from './batch-items.ts';
import { forecastOptionsOf } from './forecast-input.ts';

const job = forecastsJob;
const BATCHES = '/planning/forecasts/batches';
const UNKNOWN = 'There is no such batch of forecasts.';

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
  problems: ['model_not_approved'],
  async handle(call) {
    const { services, body, query, requestId, caller, prefer, fail } = call;
    const accepted = await services.once(call, async (em, later) => {
      const modelVersion =
        (await servingVersion(em, job.model)) ??
        fail('model_not_approved', `${job.model} has no active version.`);
      const options = forecastOptionsOf(query);
      const now = services.clock.now();
      const { items, inputs, datasetRevisions } = await prepareItems(em, body, options, now);
      const runs = await services.runs.submitAll(
        em,
        job,
        call,
        { inputs, modelVersion, datasetRevisions },
        later,
      );
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
    const seen = await services.runs.waitFor(prefer, () => readBatch(services, uid), isOver);
    const headers = { ...accepted.headers, ...appliedPreference(prefer, isOver(seen)) };
    return isOver(seen)
      ? { status: 201, headers, body: seen! }
      : { status: 202, headers: { ...headers, 'Retry-After': '1' }, body: seen! };
  },
});

export const listForecastBatches = defineOperation({
  key: 'planning.forecasts.batches.list',
  product: 'Planning',
  method: 'GET',
  path: BATCHES,
  scope: 'planning:read',
  addition: true,
  summary: 'Lists batches of forecasts, newest first.',
  description: 'Batches of the workspace in the environment of the credential, in any state.',
  query: Closed(pageQuery),
  success: { status: 200, description: 'A page of batches.', schema: ListOf(ForecastBatchResource) },
  problems: ['invalid_cursor'],
  async handle({ services, query }) {
    return listReply(services, query, {
      list: BATCHES,
      filters: {},
      rows: listBatches,
      present: presentBatch,
    });
  },
});

export const getForecastBatch = defineOperation({
  key: 'planning.forecasts.batches.get',
  product: 'Planning',
  method: 'GET',
  path: `${BATCHES}/{uid}`,
  scope: 'planning:read',
  addition: true,
  summary: 'Reads a batch of forecasts, and how far it is.',
  description: 'Its forecasts are read by item, and each by its own uid.',
  query: Closed({
    wait: Type.Optional({ ...waitQuery.wait, description: 'Seconds to wait until no item is open.' }),
  }),
  success: { status: 200, description: 'The batch.', schema: ForecastBatchResource },
  problems: ['not_found'],
  async handle({ services, query: { wait = 0 }, params: { uid }, fail }) {
    const patience = { respondAsync: false, waitMs: wait * 1_000 };
    const seen = await services.runs.waitFor(patience, () => readBatch(services, uid), isOver);
    return { status: 200, body: seen ?? fail('not_found', UNKNOWN) };
  },
});

export const listForecastBatchItems = defineOperation({
  key: 'planning.forecasts.batches.items.list',
  product: 'Planning',
  method: 'GET',
  path: `${BATCHES}/{uid}/items`,
  scope: 'planning:read',
  addition: true,
  summary: 'Lists what became of each forecast of a batch, in the order of the request.',
  description: 'With the uid of the forecast where there is one, and the problem where something went wrong.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...itemStates], { description: 'Only items in this state.' })),
  }),
  success: { status: 200, description: 'A page of items.', schema: ListOf(ForecastBatchItemResource) },
  problems: ['invalid_cursor', 'not_found'],
  async handle({ services, query, params: { uid }, fail }) {
    const { state } = query;
    return listReply(services, query, {
      list: `${BATCHES}/${encodeURIComponent(uid)}/items`,
      filters: { state: state ?? null },
      async rows(em, { after, most }) {
        const batch = isUid(uid) ? await em.findOne(ForecastBatch, { uid }) : null;
        const { requestId } = batch ?? fail('not_found', UNKNOWN);
        const items = await listItems(em, uid, {
          state,
          after: after === undefined ? undefined : Number(after),
          most,
        });
        return items.map((item) => ({ ...item, requestId }));
      },
      present: presentItem,
      position: ({ position }) => String(position),
    });
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
      const batch = found ?? fail('not_found', UNKNOWN);
      const [seen] = await listBatches(em, { uid: batch.uid, most: 1 });
      call.requireMatch(presentBatch(seen!));
      const runs = { queue: job.queue, uids: await openRuns(em, batch.uid) };
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

type PresentedBatch = ReturnType<typeof presentBatch>;

async function readBatch(services: Services, uid: string): Promise<PresentedBatch | undefined> {
  if (!isUid(uid)) return undefined;
  const [batch] = await services.transaction((em) => listBatches(em, { uid, most: 1 }));
  return batch && presentBatch(batch);
}

/** A batch that is not there is nothing to wait for. */
function isOver(batch: PresentedBatch | undefined): boolean {
  return batch === undefined || batch.state === 'finished' || batch.state === 'cancelled';
}

function presentBatch(batch: CountedBatch) {
  return {
    uid: batch.uid,
    ...batchStanding(batch.counts, batch.cancelledAt !== null),
    items: batch.items,
    counts: batch.counts,
    options: batch.options,
    reason: batch.reason,
    request_id: batch.requestId,
    created_at: batch.createdAt,
    cancelled_at: batch.cancelledAt,
  };
}

function presentItem(item: ListedItem & { requestId: string }) {
  return {
    position: item.position,
    uid: item.runUid,
    metric: item.metric,
    company_id: item.companyId,
    horizon: item.horizon,
    state: item.state,
    result_hash: item.resultHash,
    problem: presentProblem(item),
  };
}
