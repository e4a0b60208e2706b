import { setImmediate as breathe } from 'node:timers/promises';

/**
 * The maximum size of the items of a page, in bytes of JSON. An item that is larger than this is the only
 * item of its page.
 */
export const PAGE_BYTES_MAX = 8 * 1_048_576;
/** The maximum number of bytes serialised before other requests are processed. */
const TURN_BYTES = 1_048_576;

export type PageRequest = { after: string | undefined; limit: number };

export type PageSource<Row, Item> = {
  /** The rows after a position in the list; fewer than `limit` if the list ends. */
  rows(request: PageRequest): Promise<Row[]>;
  present(row: Row): Item;
  /** The position of a row in the list. */
  position(row: Row, item: Item): string;
  after: string | undefined;
  limit: number;
  /** The number of rows in the first read, when the size of the rows is not known yet. */
  firstRows: number;
  bytesMax?: number;
  signal: AbortSignal | undefined;
};

export type PageRows<Item> = {
  items: Item[];
  /** The position after which the next page begins; null on the last page. */
  next: string | null;
};

/**
 * Reads a page of at most `limit` items and `PAGE_BYTES_MAX` bytes, and determines whether more items follow.
 * For large rows, reads only about as many rows as fit on the page. Throws the abort reason of the signal
 * when the client has disconnected.
 */
export async function readPageRows<Row, Item>(source: PageSource<Row, Item>): Promise<PageRows<Item>> {
  const { limit, present, position, bytesMax = PAGE_BYTES_MAX, signal } = source;
  const items: Item[] = [];
  let bytes = 0;
  let unyielded = 0;
  let { after } = source;
  for (let rowsMax = Math.min(limit + 1, source.firstRows); ; rowsMax = roomFor(items, bytes)) {
    const found = await source.rows({ after, limit: rowsMax });
    for (const row of found) {
      const item = present(row);
      const size = Buffer.byteLength(JSON.stringify(item));
      const isFull = items.length === limit || (items.length > 0 && bytes + size > bytesMax);
      if (isFull) return { items, next: after! };
      items.push(item);
      after = position(row, item);
      bytes += size;
      unyielded += size;
      if (unyielded < TURN_BYTES) continue;
      unyielded = 0;
      await breathe();
      signal?.throwIfAborted();
    }
    if (found.length < rowsMax) return { items, next: null };
  }

  /**
   * Returns the number of rows of average size that still fit on the page, plus one row that shows whether
   * the list continues.
   */
  function roomFor({ length }: readonly unknown[], taken: number): number {
    const fitting = Math.floor((bytesMax - taken) / Math.max(1, taken / Math.max(1, length)));
    return Math.max(1, Math.min(limit - length, fitting) + 1);
  }
}
