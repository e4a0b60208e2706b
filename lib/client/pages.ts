/** A page of a list. */
type ListPage<Item> = { data: readonly Item[]; page: { next_cursor: string | null } };

/**
 * Iterates over every item of a list, page by page. The next page is read when all items of the current page
 * have been consumed.
 */
export async function* itemsOf<Item>(
  read: (cursor: string | undefined) => Promise<ListPage<Item>>,
): AsyncGenerator<Item, void, undefined> {
  let cursor: string | null | undefined;
  do {
    const { data, page } = await read(cursor ?? undefined);
    yield* data;
    cursor = page.next_cursor;
  } while (cursor !== null);
}
