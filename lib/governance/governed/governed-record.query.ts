import type { Em } from '#lib/database/base.ts';
import { GovernedRecord } from './governed-record.entity.ts';
import type { GovernedKind } from './kind.ts';
import type { GovernedState } from './states.ts';

/** One version of a record of a kind, in any workspace. */
export function findRecord(
  em: Em,
  { kind }: Pick<GovernedKind, 'kind'>,
  uid: string,
): Promise<GovernedRecord | null> {
  return em.findOne(GovernedRecord, { uid, kind }, { filters: false });
}

/** Which versions a list has: those in one of the states, of one key, that a condition on the columns holds for. */
export type RecordFilter = {
  states?: readonly GovernedState[] | undefined;
  key?: string | undefined;
  where?: Record<string, unknown> | undefined;
};

/** The versions of the records of a kind in the caller's tenant, newest first; a page of them starts after a uid. */
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
 * A page of rows made of the versions of a kind, newest first: those for which `rowOf` is undefined are left out, and
 * further versions are read until the page is full.
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
