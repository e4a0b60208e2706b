import type { Part } from '#lib/core/run.ts';

/** The stored samples `first` to `first + count - 1` of a run, and their size in bytes. */
export type StoredPart = { round: number; first: number; count: number; bytes: number };

/**
 * Returns stored parts that together contain the samples from `from` to `to - 1`, each sample once and in order.
 * Returns undefined if there are none. A new release may divide a run into other parts, so stored parts can overlap.
 * All ways to join them are therefore followed.
 */
export function coverOf(stored: readonly StoredPart[], from: number, to: number): StoredPart[] | undefined {
  /** For each sample that a chain of parts reaches: the last part of the chain. */
  const last = new Map<number, StoredPart | undefined>([[from, undefined]]);
  const ordered = stored.toSorted((one, other) => one.first - other.first || other.count - one.count);
  for (const part of ordered) {
    const end = part.first + part.count;
    if (last.has(part.first) && end <= to && !last.has(end)) last.set(end, part);
  }
  if (!last.has(to)) return undefined;
  const cover: StoredPart[] = [];
  for (let part = last.get(to); part; part = last.get(part.first)) cover.push(part);
  return cover.reverse();
}

/**
 * Returns the parts of a round whose samples are not stored yet, neither as these parts nor as other parts. If a release
 * divides a round into other parts than the release before it, stored parts from the start of the round count up to the
 * last place at which a part of the new division begins or the round ends.
 */
export function missingParts(stored: readonly StoredPart[], parts: readonly Part[]): Part[] {
  const [from, end] = [parts[0]!.first, parts.at(-1)!.first + parts.at(-1)!.count];
  const reached = [...parts.map(({ first }) => first), end].findLast((to) => coverOf(stored, from, to))!;
  return parts.filter(({ first, count }) => first >= reached && !coverOf(stored, first, first + count));
}

/**
 * Divides parts, in order, into groups that have at most `bytesMax` bytes and `most` parts. A part above `bytesMax` is
 * a group of its own.
 */
export function groupsOf(
  parts: readonly StoredPart[],
  { bytesMax, most }: { bytesMax: number; most: number },
): StoredPart[][] {
  const groups: StoredPart[][] = [];
  let bytes = Infinity;
  for (const part of parts) {
    if (bytes + part.bytes > bytesMax || groups.at(-1)!.length >= most) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)!.push(part);
    bytes += part.bytes;
  }
  return groups;
}
