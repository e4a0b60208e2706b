import { valueKnownAt, type Moment, type Step } from './history.ts';

/** What the table says of an event from a moment on, by its latest revision; NaN: withdrawn. */
export type Stored = Step & { revision: number };

/** A row that the table lacks. */
export type NewRow = { knownAt: Moment; revision: number; value: number };

/**
 * The rows that a table of values lacks to tell of one event, at every moment, what is given. Nothing that stands is
 * changed: where the table tells otherwise of a moment it gets a row of a later revision, and where it tells the same
 * it gets none. So what was told once is told again for nothing, and a table that was filled bit by bit tells the same
 * as one that was filled at once.
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
