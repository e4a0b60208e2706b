import Type from 'typebox';
import { Closed, ListOf, pageQuery, waitQuery } from '#lib/core/schema.ts';
import { listBatches, listBatchItems } from '#lib/forecasting/forecast-batch.write.ts';
import { ForecastBatchItemResource, ForecastBatchResource } from '#lib/forecasting/forecast-batch.schema.ts';
import { itemStates } from '#lib/forecasting/forecast-batch.ts';
import { listReply } from '../../http/page.ts';
import { defineOperation } from '../../services.ts';
import { BATCHES, isOver, presentBatch, presentItem, readBatch, UNKNOWN_BATCH } from './batch-presenter.ts';

export const listForecastBatches = defineOperation({
  key: 'planning.forecasts.batches.list',
  product: 'Planning',
  method: 'GET',
  path: BATCHES,
  scope: 'planning:read',
  addition: true,
  summary: 'Lists batches of forecasts, newest first.',
  description: 'Returns the batches of the workspace in the environment of the credential, in any state.',
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
  summary: 'Returns a batch of forecasts and its progress.',
  description:
    'To see the state of each forecast, list the items of the batch. To get the result of a forecast, read the forecast by its uid.',
  query: Closed({
    wait: Type.Optional({
      ...waitQuery.wait,
      description: 'Maximum number of seconds to wait for all items to end.',
    }),
  }),
  success: { status: 200, description: 'The batch.', schema: ForecastBatchResource },
  problems: ['not_found'],
  async handle({ services, caller, signal, query: { wait = 0 }, params: { uid }, fail }) {
    const prefer = { respondAsync: false, waitMs: wait * 1_000 };
    const isOpen = async () => !isOver(await readBatch(services, uid));
    await services.runs.waitFor({ caller, signal, prefer }, uid, isOpen);
    const seen = await readBatch(services, uid);
    return { status: 200, body: seen ?? fail('not_found', UNKNOWN_BATCH) };
  },
});

export const listForecastBatchItems = defineOperation({
  key: 'planning.forecasts.batches.items.list',
  product: 'Planning',
  method: 'GET',
  path: `${BATCHES}/{uid}/items`,
  scope: 'planning:read',
  addition: true,
  summary: 'Lists the state of each forecast of a batch, in the order of the request.',
  description:
    'An item has the uid of its forecast, if one was created, and the problem if the item was refused or failed.',
  query: Closed({
    ...pageQuery,
    state: Type.Optional(Type.Enum([...itemStates], { description: 'Returns only items in this state.' })),
  }),
  success: { status: 200, description: 'A page of items.', schema: ListOf(ForecastBatchItemResource) },
  problems: ['invalid_cursor', 'not_found'],
  async handle({ services, query, params: { uid }, fail }) {
    const { state } = query;
    return listReply(services, query, {
      list: `${BATCHES}/${encodeURIComponent(uid)}/items`,
      filters: { state: state ?? null },
      async rows(em, { after, limit }) {
        const question = { state, after: after === undefined ? undefined : Number(after), limit };
        return (await listBatchItems(em, uid, question)) ?? fail('not_found', UNKNOWN_BATCH);
      },
      present: presentItem,
      position: ({ position }) => String(position),
    });
  },
});
