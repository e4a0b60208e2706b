/**
 * Processes each item of a list. If an item fails, it is postponed and the other items are still processed.
 * The first error is thrown at the end.
 */
export async function forEachIsolated<T>(
  all: readonly T[],
  { do: work, postpone }: { do(each: T): Promise<unknown>; postpone(each: T): Promise<unknown> },
): Promise<void> {
  const errors: unknown[] = [];
  for (const each of all) {
    try {
      await work(each);
    } catch (error) {
      errors.push(error);
      await postpone(each).catch(() => undefined);
    }
  }
  if (errors.length > 0) throw errors[0];
}
