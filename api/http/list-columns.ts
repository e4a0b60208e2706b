import type { TArray, TObject, TSchema } from 'typebox';

/**
 * A column of a list in CSV: a member of the row or, if `item` is given, a member of an object in a list of
 * the row. `at` is the index of this object, counted from 0.
 */
export type Column = { name: string; item?: { at: number; member: string } };

/**
 * Returns the columns of a row. A member that is a list of objects gets a column for each member of each object that
 * the list can contain.
 *
 * Example: a row of `day` and of `tags`, a list of up to two objects with the member `word`, has the columns
 * `day`, `tags_1_word` and `tags_2_word`.
 */
export function columnsOf(row: TObject): Column[] {
  return Object.entries(row.properties as Record<string, TSchema>).flatMap(([name, schema]) => {
    const { items, maxItems } = schema as Partial<TArray> & { maxItems?: number };
    if (items === undefined) return { name };
    if (maxItems === undefined) throw new Error(`the list ${name} of a row has no greatest length`);
    const members = Object.keys((items as TObject).properties);
    return Array.from({ length: maxItems }, (_, at) =>
      members.map((member) => ({ name, item: { at, member } })),
    ).flat();
  });
}

/** Returns the names of all members of a row and of the objects in its lists, in the order of the columns. */
export function namesOf(columns: readonly Column[]): string[] {
  return [...new Set(columns.flatMap(({ name, item }) => (item ? [name, item.member] : [name])))];
}
