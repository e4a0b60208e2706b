import { sizeOf, type Members } from './members.ts';

/** A difference of published cells must leave at least this number of groups, or none. */
export const DIFFERENCE_LEAST = 5;
/** The largest number of disjoint parts that are subtracted from a cell. */
const PARTS_MAX = 4;

/** A cell that is published, or that may be published. */
export type Candidate = {
  key: string;
  members: Members;
  /** Whether readers have already seen the cell. Such a cell cannot be withheld any more. */
  isPublished: boolean;
};

/**
 * Returns the cells that may be published together. A cell less another cell that overlaps it must leave either no
 * groups or at least five. The same applies to a cell less two to four disjoint parts of it. Otherwise, a reader could
 * obtain the figures of few groups by subtraction. While some cells violate this rule, the smallest of them that is not
 * published is withheld. Ties are decided by key.
 */
export function withholdDifferences(cells: readonly Candidate[]): Candidate[] {
  const kept = cells.map((cell) => ({ ...cell, size: sizeOf(cell.members) })).toSorted(byKey);
  for (;;) {
    const found = pairAtFault(kept) ?? partsAtFault(kept);
    if (found === undefined) return kept.map(({ size: _, ...cell }) => cell);
    kept.splice(kept.indexOf(found), 1);
  }
}

type Sized = Candidate & { size: number };

/**
 * Returns the cell to withhold because two overlapping cells differ by too few groups; undefined if no pair violates
 * the rule.
 */
function pairAtFault(cells: readonly Sized[]): Sized | undefined {
  for (const [at, one] of cells.entries()) {
    for (let next = at + 1; next < cells.length; next += 1) {
      const other = cells[next]!;
      const shared = one.members & other.members;
      if (shared === 0n) continue;
      const common = sizeOf(shared);
      if (!isFew(one.size - common) && !isFew(other.size - common)) continue;
      const smallest = smallestOf([one, other]);
      if (smallest) return smallest;
    }
  }
  return undefined;
}

/**
 * Returns the cell to withhold because a cell less its parts leaves too few groups; undefined if no cell violates the
 * rule.
 */
function partsAtFault(cells: readonly Sized[]): Sized | undefined {
  for (const whole of cells) {
    const parts = cells.filter(
      (cell) => cell !== whole && cell.members !== 0n && (cell.members & whole.members) === cell.members,
    );
    for (let count = 2; count <= PARTS_MAX; count += 1) {
      const found = remainder(parts, { whole, count, from: 0, taken: [], rest: whole.size });
      if (found) return found;
    }
  }
  return undefined;
}

type Search = { whole: Sized; count: number; from: number; taken: readonly Sized[]; rest: number };

function remainder(parts: readonly Sized[], { whole, count, from, taken, rest }: Search): Sized | undefined {
  if (count === 0) return isFew(rest) ? smallestOf([whole, ...taken]) : undefined;
  const largest = parts.reduce((size, part) => Math.max(size, part.size), 0);
  if (rest - count * largest >= DIFFERENCE_LEAST) return undefined;
  for (let at = from; at < parts.length; at += 1) {
    const part = parts[at]!;
    if (taken.some((each) => (each.members & part.members) !== 0n)) continue;
    const found = remainder(parts, {
      whole,
      count: count - 1,
      from: at + 1,
      taken: [...taken, part],
      rest: rest - part.size,
    });
    if (found) return found;
  }
  return undefined;
}

function smallestOf(cells: readonly Sized[]): Sized | undefined {
  return cells
    .filter(({ isPublished }) => !isPublished)
    .toSorted((one, other) => one.size - other.size || byKey(one, other))[0];
}

function isFew(size: number): boolean {
  return size >= 1 && size < DIFFERENCE_LEAST;
}

function byKey(one: Candidate, other: Candidate): number {
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0;
}
