/**
 * Does something to each of many. One that fails is put off, so that it holds up nobody; the first error is thrown in the
 * end, so that it is seen.
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
