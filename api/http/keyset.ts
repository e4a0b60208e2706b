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
   * Returns the rows after a key, in key order. Without pages, the list is read in batches, each in its own
   * transaction. The rows of all batches must belong to the same state of the data. Throws if this state can
   * no longer be read.
   */
  rows(em: Em, page: PageRequest): Promise<Row[]>;
  /** Returns a text that identifies the position of a row in the order of the list. */
  keyOf(row: Row): string;
  /** Whether each statement of `rows` is an index lookup for all arguments. */
  plansOnce?: boolean;
  present(row: Row): Item;
};

/** The number of rows per batch if a list is read without pages. */
const BATCH_ROWS = 2_000;

type PageQuery = { limit?: number; cursor?: string };
type PageAnswer<Item> = {
  body: { data: Item[]; page: Page };
  headers: Record<string, string>;
};

/** Reads the requested page of a list in the current transaction. Refuses a cursor of another list. */
export async function readKeysetPage<Row, Item extends FlatRow>(
  em: Em,
  { cursors, signal }: Pick<Services, 'cursors' | 'signal'>,
  query: PageQuery,
  keyset: KeysetList<Row, Item>,
): Promise<PageAnswer<Item>> {
  const { list, filters, rows, keyOf, present } = keyset;
  const limit = query.limit ?? 50;
  const { items: data, next: last } = await readPageRows({
    rows: (page) => rows(em, page),
    present,
    position: keyOf,
    after: startOf({ cursors }, query, keyset),
    limit,
    firstRows: limit + 1,
    signal,
  });
  const next = last === null ? null : cursors.write(list, filters, last);
  return {
    body: { data, page: { limit, next_cursor: next, has_more: next !== null } },
    headers: next === null ? {} : { Link: nextLink(list, filters, limit, next) },
  };
}

/**
 * Returns a list of flat rows, ordered by key. The list can be read as one page, or completely in constant
 * memory. Refuses a cursor of another list. `ready` is the page, if it has been read already.
 */
export function keysetListing<Row, Item extends FlatRow>(
  services: Services,
  query: PageQuery,
  keyset: KeysetList<Row, Item>,
  ready?: PageAnswer<Item>,
): Listing<{ data: Item[]; page: Page }> {
  const { version, rows, keyOf, plansOnce, present } = keyset;
  const ask = plansOnce ? services.lookUp : services.query;
  if (!ready) startOf(services, query, keyset); // a cursor of another list is refused even if no rows are read
  return {
    version,
    page: async () => ready ?? ask((em) => readKeysetPage(em, services, query, keyset)),
    async *rows() {
      const read = (after: string | undefined) => {
        const found = ask((em) => rows(em, { after, limit: BATCH_ROWS }));
        found.catch(() => undefined); // if the caller has stopped reading, the error is ignored
        return found;
      };
      let next = read(undefined);
      for (;;) {
        const found = await next;
        const isLast = found.length < BATCH_ROWS;
        if (!isLast) next = read(keyOf(found.at(-1)!)); // the next batch is read while these rows are sent
        if (found.length > 0) yield found.map(present);
        if (isLast) return;
      }
    },
  };
}

/** Returns the position after which the page begins; undefined for the first page. */
function startOf(
  { cursors }: Pick<Services, 'cursors'>,
  { cursor }: PageQuery,
  { list, filters }: Pick<KeysetList<unknown, unknown>, 'list' | 'filters'>,
): string | undefined {
  return cursor === undefined ? undefined : cursors.read(list, filters, cursor);
}
