import type { Em } from '#lib/database/orm.ts';
import type { Page } from '#lib/core/schema.ts';
import type { Services } from '../services.ts';

export type PageRequest = { after: string | undefined; most: number };

export type ListOptions<Row, Item> = {
  /** Path of the list below `/api/v2`; the cursor is bound to it. */
  list: string;
  filters: Record<string, unknown>;
  rows(em: Em, page: PageRequest): Promise<Row[]>;
  present(row: Row): Item;
  /** Where the next page begins behind a row. Default: its uid. */
  position?(row: Row): string;
};

/** Answers a list by keyset: reads one row more than the page has, and points to the next page by the last row. */
export async function listReply<Row, Item>(
  services: Services,
  query: { limit?: number; cursor?: string },
  { list, filters, rows, present, position }: ListOptions<Row, Item>,
): Promise<{ status: 200; body: { data: Item[]; page: Page }; headers: Record<string, string> }> {
  const limit = query.limit ?? 50;
  const after = query.cursor === undefined ? undefined : services.cursors.read(list, filters, query.cursor);
  const found = await services.transaction((em) => rows(em, { after, most: limit + 1 }));
  const shown = found.slice(0, limit);
  const data = shown.map(present);
  const hasMore = found.length > limit;
  const last = () => (position ? position(shown.at(-1)!) : (data.at(-1) as { uid: string }).uid);
  const next = hasMore ? services.cursors.write(list, filters, last()) : null;
  return {
    status: 200,
    body: { data, page: { limit, next_cursor: next, has_more: hasMore } },
    headers: next === null ? {} : { Link: nextLink(list, filters, limit, next) },
  };
}

/** RFC 8288: where the next page is. */
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
