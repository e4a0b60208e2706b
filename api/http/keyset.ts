import type { FlatRow, Listing } from '#lib/core/operation.ts';
import type { Page } from '#lib/core/schema.ts';
import type { Em } from '#lib/database/base.ts';
import type { Services } from '../services.ts';
import { readPageRows, type PageRequest } from './page-rows.ts';
import { nextLink } from './page.ts';

export type KeysetList<Row, Item> = {
  /** Path of the list below `/api/v2`; the cursor is bound to it. */
  list: string;
  filters: Record<string, unknown>;
  /** Another one whenever the rows may be others. */
  version: string;
  /**
   * The rows behind a key, in the order of their keys. A list without pages is read some at a time in transactions of
   * their own, so the rows have to be those of one state of the data, and it throws when that cannot be read any more.
   */
  rows(em: Em, page: PageRequest): Promise<Row[]>;
  /** Text that tells the place of a row in the order. */
  keyOf(row: Row): string;
  /** Whether each statement of `rows` is a look into an index, whatever it is asked. */
  plansOnce?: boolean;
  present(row: Row): Item;
};

/** Rows that a list without pages reads at once. */
const BATCH_ROWS = 2_000;

/** A list of flat rows by keyset: as a page, or whole and in constant memory. Refuses a cursor that is not its own. */
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
        found.catch(() => undefined); // who stopped reading is not told
        return found;
      };
      let next = read(undefined);
      for (;;) {
        const found = await next;
        const isLast = found.length < BATCH_ROWS;
        if (!isLast) next = read(keyOf(found.at(-1)!)); // while these rows are being sent
        if (found.length > 0) yield found.map(present);
        if (isLast) return;
      }
    },
  };
}
