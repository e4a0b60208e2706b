import { sql } from 'kysely';
import { Problem } from '#lib/core/problem.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { acquireNamedLock } from '#lib/governance/named-lock.query.ts';
import type { DatasetKind } from '../dataset-kind.ts';
import { decideDataUse, type DataAction, type DataDecision } from './decide.ts';
import { heldRights, type HeldRights } from './held-rights.query.ts';

/** A use of the tenant's datasets, to be decided for each dataset with recorded entitlements. */
export type AskedUse = {
  action: DataAction;
  /** The rows requested of each dataset; `all` for all of its rows. */
  rows: number | 'all';
  now: Date;
  /** The workspace that uses the data. Default: the workspace of the tenant. */
  workspace?: string | undefined;
  /** The kind of datasets that the use needs; undefined if it reads several kinds. */
  kind?: DatasetKind | undefined;
  /** The ids of the datasets to decide about. Default: all datasets with recorded entitlements. */
  datasets?: readonly number[] | undefined;
};

export type DeniedDataset = { id: number; uid: string; kind: DatasetKind; decision: DataDecision };

export type AnsweredUse = {
  denied: DeniedDataset[];
  /** The permitted datasets whose permission has a row limit, with the rows to count. */
  limited: { id: number; rows: number }[];
};

/** Decides a use for all datasets on which the tenant has recorded entitlements. */
export async function answerUse(em: Em, asked: AskedUse): Promise<AnsweredUse> {
  const { now, datasets, workspace = tenantOf(em).workspace } = asked;
  const held = await heldRights(em, workspace, now);
  return decideUses(datasets ? held.filter(({ id }) => datasets.includes(id)) : held, asked, workspace);
}

/** Decides a use for each of these datasets. Pure. */
export function decideUses(
  held: readonly HeldRights[],
  { action, rows, now }: Pick<AskedUse, 'action' | 'rows' | 'now'>,
  assignee: string,
): AnsweredUse {
  const denied: DeniedDataset[] = [];
  const limited: AnsweredUse['limited'] = [];
  for (const { id, uid, kind, entitlements, newestAt, region, ...dataset } of held) {
    const requested = rows === 'all' ? dataset.rows : rows;
    const decision = decideDataUse(entitlements, {
      dataset: uid,
      assignee,
      action,
      at: now.toISOString(),
      purpose: null,
      region,
      data_age_minutes: newestAt && Math.floor((now.getTime() - newestAt.getTime()) / 60_000),
      rows_today: dataset.rowsToday,
      rows_requested: requested,
    });
    if (decision.effect === 'deny') denied.push({ id, uid, kind, decision });
    else if (entitlements.some(hasRowLimit)) limited.push({ id, rows: requested });
  }
  return { denied, limited };
}

function hasRowLimit({ permissions }: HeldRights['entitlements'][number]): boolean {
  return permissions.some(
    ({ constraints: { max_rows_per_day: most } }) => most !== null && most !== undefined,
  );
}

/**
 * Hides denied datasets from the rest of the transaction. Throws the problem `entitlement_missing` if the use needs
 * datasets of a kind and only denied datasets are left.
 */
export async function hideDenied(em: Em, denied: readonly DeniedDataset[], asked: AskedUse): Promise<void> {
  if (denied.length === 0) return;
  const ids = denied.map(({ id }) => id).join(',');
  await sql`select set_config('app.denied_datasets', ${ids}, true)`.execute(em.getKysely());
  const needed = denied.filter(({ kind }) => kind === asked.kind);
  if (needed.length === 0 || (await hasDataset(em, asked.kind!))) return;
  throw useRefused(asked.action, needed[0]!);
}

async function hasDataset(em: Em, kind: DatasetKind): Promise<boolean> {
  const { rows } = await sql`select from dataset where kind = ${kind} limit 1`.execute(em.getKysely());
  return rows.length > 0;
}

/** Returns the problem of a use that the entitlements of a dataset do not permit. */
export function useRefused(
  action: DataAction,
  { uid, decision }: Omit<DeniedDataset, 'id' | 'kind'>,
): Problem {
  const detail = `The data entitlements of the workspace do not permit the action ${action} on the dataset ${uid}: ${decision.code}.`;
  const failed = decision.failed.length > 0 ? decision.failed : decision.determining;
  return new Problem('entitlement_missing', detail, {
    members: { action, failed, reasons: [decision.code ?? 'not_permitted'] },
  });
}

/**
 * Decides a use as `answerUse` does, and adds the requested rows to the stored counts of datasets with a row limit. A
 * lock prevents other transactions from counting rows of the tenant at the same time.
 */
export async function countUse(em: Em, asked: AskedUse): Promise<AnsweredUse> {
  const { workspace = tenantOf(em).workspace } = asked;
  await acquireNamedLock(em, 'data-use', workspace);
  const answered = await answerUse(em, asked);
  for (const { id, rows } of answered.limited) {
    await sql`
      insert into data_use (workspace_uid, dataset_id, day, rows)
      values (${workspace}, ${id}, (${asked.now.toISOString()}::timestamptz at time zone 'utc')::date, ${rows})
      on conflict (workspace_uid, dataset_id, day) do update set rows = data_use.rows + excluded.rows
    `.execute(em.getKysely());
  }
  return answered;
}

/**
 * Throws the problem `entitlement_missing` unless the entitlements of the tenant permit a use of one dataset.
 * For uses that count no rows, such as a training.
 */
export async function requireUse(
  em: Em,
  dataset: string | number,
  asked: Omit<AskedUse, 'kind'>,
): Promise<void> {
  const { denied } = await answerUse(em, asked);
  const found = denied.find(({ id, uid }) => id === dataset || uid === dataset);
  if (found) throw useRefused(asked.action, found);
}
