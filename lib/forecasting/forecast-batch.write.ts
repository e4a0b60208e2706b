import { sql } from 'kysely';
import { isUid } from '#lib/core/id.ts';
import type { StoredProblem } from '#lib/core/problem.ts';
import { instant } from '#lib/data/as-of.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import {
  itemStates,
  type BatchCounts,
  type ForecastOptionsOnRecord,
  type ItemState,
} from './forecast-batch.ts';
import { ForecastBatch } from './forecast-batch.entity.ts';

/** An item of a batch as it was requested. An item that is not valid has a problem instead of a run. */
export type NewItem = {
  metric: string;
  companyId: number | null;
  horizon: number;
  runUid: string | null;
  problem: StoredProblem | null;
};

/** Number of items per statement. Between two statements, the event loop can do other work. */
const ITEMS_A_STATEMENT = 1_000;

/** Writes the items of a batch in order. */
export async function insertItems(em: Em, batch: string, all: readonly NewItem[]): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  for (let first = 0; first < all.length; first += ITEMS_A_STATEMENT) {
    const items = all.slice(first, first + ITEMS_A_STATEMENT);
    await sql`
      insert into forecast_batch_item (batch_uid, position, workspace_uid, environment, metric, company_id, horizon,
        run_uid, problem)
      select ${batch}, ${first}::int + i.position - 1, ${workspace}, ${environment}, i.metric, i.company, i.horizon, i.run,
        i.problem
      from unnest(
        ${items.map(({ metric }) => metric)}::text[],
        ${items.map(({ companyId }) => companyId)}::int[],
        ${items.map(({ horizon }) => horizon)}::int[],
        ${items.map(({ runUid }) => runUid)}::text[],
        ${items.map(({ problem }) => problem && JSON.stringify(problem))}::jsonb[]
      ) with ordinality i (metric, company, horizon, run, problem, position)
    `.execute(em.getKysely());
  }
}

/** A batch with the number of its items in each state. */
export type CountedBatch = {
  uid: string;
  reason: string | null;
  options: ForecastOptionsOnRecord;
  items: number;
  requestId: string;
  createdAt: string;
  cancelledAt: string | null;
  counts: BatchCounts;
};

type BatchQuestion = { uid?: string | undefined; after?: string | undefined; limit: number };

/** Lists the batches of the tenant of `em`, newest first. */
export async function listBatches(em: Em, { uid, after, limit }: BatchQuestion): Promise<CountedBatch[]> {
  const { workspace, environment } = tenantOf(em);
  const counted = itemStates.map(
    (state) => sql`${state}::text, count(*) filter (where ${stateOf} = ${state})`,
  );
  const { rows } = await sql<CountedBatch>`
    select b.uid, b.reason, b.options, b.items, b.request_id as "requestId", ${instant(sql`b.created_at`)} as "createdAt",
      ${instant(sql`b.cancelled_at`)} as "cancelledAt", c.counts
    from forecast_batch b
    cross join lateral (
      select json_build_object(${sql.join(counted)}) as counts
      from forecast_batch_item i left join run r on r.uid = i.run_uid where i.batch_uid = b.uid
    ) c
    where b.workspace_uid = ${workspace} and b.environment = ${environment}
      and ${uid === undefined ? sql`true` : sql`b.uid = ${uid}`}
      and ${after === undefined ? sql`true` : sql`b.uid < ${after}`}
    order by b.uid desc limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

export type ListedItem = Omit<NewItem, 'problem'> & {
  position: number;
  state: ItemState;
  resultHash: string | null;
  /** Problem of the item or of its run. */
  problem: StoredProblem | null;
};

type ItemsQuestion = { state?: ItemState | undefined; after: number | undefined; limit: number };

/** Lists the items of a batch in the order of the request. */
export async function listItems(
  em: Em,
  batch: string,
  { state, after, limit }: ItemsQuestion,
): Promise<ListedItem[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<ListedItem>`
    select i.position, i.metric, i.company_id as "companyId", i.horizon, i.run_uid as "runUid", ${stateOf} as state,
      (select result_hash from run_result where run_uid = i.run_uid) as "resultHash",
      coalesce(i.problem, r.problem) as problem
    from forecast_batch_item i left join run r on r.uid = i.run_uid
    where i.batch_uid = ${batch} and i.workspace_uid = ${workspace} and i.environment = ${environment}
      and i.position > ${after ?? -1} and ${state === undefined ? sql`true` : sql`${stateOf} = ${state}`}
    order by i.position limit ${limit}
  `.execute(em.getKysely());
  return rows;
}

/**
 * Lists items as `listItems` does, each with the request that submitted the batch. Returns undefined if the batch does
 * not exist.
 */
export async function listBatchItems(
  em: Em,
  uid: string,
  question: ItemsQuestion,
): Promise<(ListedItem & { requestId: string })[] | undefined> {
  const batch = isUid(uid) ? await em.findOne(ForecastBatch, { uid }) : null;
  if (!batch) return undefined;
  const { requestId } = batch;
  return (await listItems(em, uid, question)).map((item) => ({ ...item, requestId }));
}

/** Returns the uids of the unfinished runs of a batch. */
export async function openRuns(em: Em, batch: string): Promise<string[]> {
  const { rows } = await sql<{ uid: string }>`
    select r.uid from forecast_batch_item i join run r on r.uid = i.run_uid
    where i.batch_uid = ${batch} and r.state in ('queued', 'running') order by i.position
  `.execute(em.getKysely());
  return rows.map(({ uid }) => uid);
}

const stateOf = sql`coalesce(r.state, 'refused')`;
