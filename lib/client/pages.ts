/** A page of a list. */
type ListPage<Item> = { data: readonly Item[]; page: { next_cursor: string | null } };

/** Every item of a list, page after page; the next page is read when the items of the one before are used up. */
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
