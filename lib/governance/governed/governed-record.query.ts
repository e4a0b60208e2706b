import type { Em } from '#lib/database/base.ts';
import { GovernedRecord } from './governed-record.entity.ts';
import type { GovernedKind } from './kind.ts';
import type { GovernedState } from './states.ts';

/** Returns one version of a record of a kind, from any workspace. */
export function findRecord(
  em: Em,
  { kind }: Pick<GovernedKind, 'kind'>,
  uid: string,
): Promise<GovernedRecord | null> {
  return em.findOne(GovernedRecord, { uid, kind }, { filters: false });
}

/** The conditions of a list of versions: the allowed states, the key, and a condition on columns. */
export type RecordFilter = {
  states?: readonly GovernedState[] | undefined;
  key?: string | undefined;
  where?: Record<string, unknown> | undefined;
};

/**
 * Returns the versions of the records of a kind in the caller's tenant, newest first. A page starts after the record
 * with the uid `page.after`.
 */
export function listRecords(
  em: Em,
  { kind }: Pick<GovernedKind, 'kind'>,
  { states, key, where = {} }: RecordFilter = {},
  page: { after?: string | undefined; limit?: number | undefined } = {},
): Promise<GovernedRecord[]> {
  return em.find(
    GovernedRecord,
    {
      kind,
      ...(page.after === undefined ? {} : { uid: { $lt: page.after } }),
      ...(states === undefined ? {} : { state: { $in: [...states] } }),
      ...(key === undefined ? {} : { key }),
      ...where,
    },
    { orderBy: { uid: 'desc' }, ...(page.limit === undefined ? {} : { limit: page.limit }) },
  );
}

/**
 * Returns a page of rows made from the versions of a kind, newest first. Versions for which `rowOf` returns
 * undefined are skipped, and further versions are read until the page is full.
 */
export async function scanRecords<Row>(
  em: Em,
  kind: Pick<GovernedKind, 'kind'>,
  filter: RecordFilter,
  { after, limit }: { after?: string | undefined; limit: number },
  rowOf: (record: GovernedRecord) => Promise<Row | undefined>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let before = after; ;) {
    const found = await listRecords(em, kind, filter, { after: before, limit });
    for (const each of found) {
      before = each.uid;
      const row = await rowOf(each);
      if (row !== undefined) rows.push(row);
      if (rows.length === limit) return rows;
    }
    if (found.length < limit) return rows;
  }
}
