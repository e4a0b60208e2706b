/**
 * Processes each item of a list. A failed item is postponed, so that it does not stop the others; the first
 * error is thrown at the end.
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
