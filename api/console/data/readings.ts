/** The observations of a series as they were known at a time, in the order of their days. */
export type Reading = readonly { observed_on: string; value: string | null; known_at: string }[];

/** A day with its values in two readings, and how the later reading differs from the earlier one. */
export type ReadingRow = {
  day: string;
  earlier: number | null;
  later: number | null;
  change: 'same' | 'added' | 'revised';
  /**
   * The time at which the later value became known. If there is no later value: the time at which the earlier value
   * became known.
   */
  knownAt: string;
};

/** Compares an earlier and a later reading of a series, by day. Values are compared as they were imported. */
export function compareReadings(earlier: Reading, later: Reading): ReadingRow[] {
  const before = new Map(earlier.map((each) => [each.observed_on, each]));
  const after = new Map(later.map((each) => [each.observed_on, each]));
  const days = [...new Set([...before.keys(), ...after.keys()])].toSorted((one, other) =>
    one < other ? -1 : 1,
  );
  return days.map((day) => {
    const [then, now] = [before.get(day), after.get(day)];
    const change = then === undefined ? 'added' : then.value === now?.value ? 'same' : 'revised';
    return {
      day,
      earlier: numberOf(then?.value),
      later: numberOf(now?.value),
      change,
      knownAt: now?.known_at ?? then!.known_at,
    };
  });
}

function numberOf(value: string | null | undefined): number | null {
  return value === null || value === undefined ? null : Number(value);
}
