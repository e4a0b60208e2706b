import { valueKnownAt, type Moment, type Step } from './history.ts';

/** The latest revision of a stored value of an event. The value is known from `knownAt` on; NaN if it was withdrawn. */
export type Stored = Step & { revision: number };

/** A row to add to the table of stored values. */
export type NewRow = { knownAt: Moment; revision: number; value: number };

/**
 * Returns the rows to add, so that the table has the given steps of one event at every moment. Stored rows are never
 * changed. If the stored value at a moment differs, a row with a later revision is added; if it is equal, no row is
 * added. Repeating the call therefore adds nothing, and a table that was filled in parts equals a table that was filled
 * at once.
 */
export function lackingRows(steps: readonly Step[] | undefined, stored: readonly Stored[]): NewRow[] {
  const rows: NewRow[] = [];
  const storedAt = new Map(stored.map((row) => [row.knownAt, row]));
  const moments = new Set([...storedAt.keys(), ...(steps ?? []).map(({ knownAt }) => knownAt)]);
  let says = Number.NaN;
  for (const knownAt of Float64Array.from(moments).sort()) {
    const value = valueKnownAt(steps, knownAt);
    const row = storedAt.get(knownAt);
    says = row?.value ?? says;
    if (isSame(says, value)) continue;
    rows.push({ knownAt, revision: (row?.revision ?? 0) + 1, value });
    says = value;
  }
  return rows;
}

function isSame(one: number, other: number): boolean {
  return one === other || (Number.isNaN(one) && Number.isNaN(other));
}
