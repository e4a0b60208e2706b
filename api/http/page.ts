import type { Em } from '#lib/database/base.ts';
import type { Page } from '#lib/core/schema.ts';
import { readPageRows, type PageRequest } from './page-rows.ts';
import type { Services } from '../services.ts';

export type { PageRequest };

/** The number of rows of a page of the default size, plus one row that shows whether the list continues. */
const FIRST_ROWS = 51;
/** The number of rows that are read first from a list whose rows can be large. */
const FIRST_LARGE_ROWS = 8;

export type ListOptions<Row, Item> = {
  /** Path of the list below `/api/v2`. A cursor is valid for this list only. */
  list: string;
  filters: Record<string, unknown>;
  rows(em: Em, page: PageRequest): Promise<Row[]>;
  present(row: Row): Item;
  /** The position after which the next page begins. Default: the row's uid. */
  position?(row: Row): string;
  /** Whether a row can be much larger than a kilobyte. */
  hasLargeRows?: boolean;
};

/** Answers a page of a keyset list, bounded in rows and in bytes. */
export async function listReply<Row, Item>(
  services: Pick<Services, 'cursors' | 'signal' | 'query'>,
  query: { limit?: number; cursor?: string },
  { list, filters, rows, present, position: positionOf, hasLargeRows = false }: ListOptions<Row, Item>,
): Promise<{ status: 200; body: { data: Item[]; page: Page }; headers: Record<string, string> }> {
  const limit = query.limit ?? 50;
  const after = query.cursor === undefined ? undefined : services.cursors.read(list, filters, query.cursor);
  const { items: data, next: last } = await services.query((em) =>
    readPageRows<Row, Item>({
      rows: (page) => rows(em, page),
      present,
      position: (row, item) => positionOf?.(row) ?? (item as { uid: string }).uid,
      after,
      limit,
      firstRows: hasLargeRows ? FIRST_LARGE_ROWS : FIRST_ROWS,
      signal: services.signal,
    }),
  );
  const next = last === null ? null : services.cursors.write(list, filters, last);
  return {
    status: 200,
    body: { data, page: { limit, next_cursor: next, has_more: next !== null } },
    headers: next === null ? {} : { Link: nextLink(list, filters, limit, next) },
  };
}

/** Returns the link to the next page (RFC 8288). */
export function nextLink(
  list: string,
  filters: Record<string, unknown>,
  limit: number,
  cursor: string,
): string {
  const query = new URLSearchParams({ limit: String(limit), cursor });
  for (const [name, value] of Object.entries(filters)) if (value !== null) query.set(name, String(value));
  return `</api/v2${list}?${query}>; rel="next"`;
}
