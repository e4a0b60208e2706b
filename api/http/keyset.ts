import type { FlatRow, Listing } from '#lib/core/operation.ts';
import type { Page } from '#lib/core/schema.ts';
import type { Em } from '#lib/database/base.ts';
import type { Services } from '../services.ts';
import { readPageRows, type PageRequest } from './page-rows.ts';
import { nextLink } from './page.ts';

export type KeysetList<Row, Item> = {
  /** Path of the list below `/api/v2`. A cursor is valid for this list only. */
  list: string;
  filters: Record<string, unknown>;
  /** A version that changes whenever the rows may have changed. */
  version: string;
  /**
   * The rows after a key, in key order. A list without pages is read in batches with a transaction each, so
   * all rows must belong to one state of the data. Throws when that state can no longer be read.
   */
  rows(em: Em, page: PageRequest): Promise<Row[]>;
  /** Returns a text that identifies the position of a row in the order of the list. */
  keyOf(row: Row): string;
  /** Whether each statement of `rows` is an index lookup for all arguments. */
  plansOnce?: boolean;
  present(row: Row): Item;
};

/** The number of rows per batch of a list without pages. */
const BATCH_ROWS = 2_000;

/**
 * Returns a list of flat rows by keyset, either as one page, or complete and in constant memory. Refuses a
 * cursor of another list.
 */
export function keysetListing<Row, Item extends FlatRow>(
  services: Services,
  query: { limit?: number; cursor?: string },
  { list, filters, version, rows, keyOf, plansOnce, present }: KeysetList<Row, Item>,
): Listing<{ data: Item[]; page: Page }> {
  const ask = plansOnce ? services.lookUp : services.query;
  const limit = query.limit ?? 50;
  const start = query.cursor === undefined ? undefined : services.cursors.read(list, filters, query.cursor);
  return {
    version,
    async page() {
      const { items: data, next: last } = await ask((em) =>
        readPageRows({
          rows: (page) => rows(em, page),
          present,
          position: keyOf,
          after: start,
          limit,
          firstRows: limit + 1,
          signal: services.signal,
        }),
      );
      const next = last === null ? null : services.cursors.write(list, filters, last);
      return {
        body: { data, page: { limit, next_cursor: next, has_more: next !== null } },
        headers: next === null ? {} : { Link: nextLink(list, filters, limit, next) },
      };
    },
    async *rows() {
      const read = (after: string | undefined) => {
        const found = ask((em) => rows(em, { after, limit: BATCH_ROWS }));
        found.catch(() => undefined); // a reader that has stopped is not notified
        return found;
      };
      let next = read(undefined);
      for (;;) {
        const found = await next;
        const isLast = found.length < BATCH_ROWS;
        if (!isLast) next = read(keyOf(found.at(-1)!)); // while these rows are sent
        if (found.length > 0) yield found.map(present);
        if (isLast) return;
      }
    },
  };
}
