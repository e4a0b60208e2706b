/** Compares two texts by code units, as PostgreSQL does with the collation "C". */
export function byCodeUnit(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
