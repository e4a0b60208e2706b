import { DIFFERENCE_LEAST, type Candidate } from './differences.ts';
import { sizeOf, type Members } from './members.ts';

/** A prime below 2^26, so that products of residues are exact in double precision. */
const PRIME = 67_108_859;

/**
 * Returns the cells that may be published together under the strictest rule: every linear combination of the cells
 * that is not zero depends on at least five groups. Differences of unions of cells are such combinations. The rule
 * also covers cells of several classifications, such as a region less two service classes plus the whole.
 *
 * Groups with the same memberships form an atom, and the combinations of cells are the code that the cells generate
 * over the atoms. A combination that depends on at most four groups is zero on every atom of five or more groups. If
 * the remaining atoms are dealt into five blocks, the combination is zero on at least one block, so the search
 * continues in the five smaller codes of combinations that are zero on a block. Ranks are computed modulo a prime: a
 * combination over the rationals is never missed, and a rare false combination only withholds one more cell.
 */
export function withholdCombinations(cells: readonly Candidate[]): Candidate[] {
  let kept = cells.filter(({ members }) => members !== 0n);
  for (;;) {
    const few = fewGroups(kept);
    if (few === undefined) return kept;
    const [smallest] = involvedCells(kept, few).toSorted(
      (one, other) => sizeOf(one.members) - sizeOf(other.members) || (one.key < other.key ? -1 : 1),
    );
    if (!smallest) return kept; // all remaining cells are published already, so none can be withheld
    kept = kept.filter((cell) => cell !== smallest);
  }
}

/**
 * Returns the cells from which one must be chosen and withheld. These are the unpublished cells whose omission reduces
 * the dimension of the combinations on these atoms. If there is no such cell, because other cells can replace each of
 * them, returns all unpublished cells.
 */
function involvedCells(cells: readonly Candidate[], few: Few): Candidate[] {
  const open = cells.filter(({ isPublished }) => !isPublished);
  const count = combinationsOn(cells, few);
  const needed = open.filter(
    (cell) =>
      combinationsOn(
        cells.filter((each) => each !== cell),
        few,
      ) < count,
  );
  return needed.length > 0 ? needed : open;
}

/** Returns the dimension of the space of those combinations of the cells that depend only on these atoms. */
function combinationsOn(cells: readonly Candidate[], { atoms, support }: Few): number {
  return rankOn(cells, atoms, new Set()) - rankOn(cells, atoms, support);
}

type Few = { atoms: readonly Members[]; support: ReadonlySet<number> };

/** Finds a combination of the cells that depends on one to four groups; undefined if there is none. */
function fewGroups(cells: readonly Candidate[]): Few | undefined {
  const atoms = atomsOf(cells);
  const sizes = atoms.map(sizeOf);
  const large = [...atoms.keys()].filter((at) => sizes[at]! >= DIFFERENCE_LEAST);
  const found = search(zeroOn(rowsOf(cells, atoms), large), sizes);
  return found && { atoms, support: new Set(found) };
}

/**
 * Returns the atoms of a combination of at most four groups in the code that the rows generate. Every combination of
 * at most four groups is zero on one of the blocks, because there are more blocks than atoms that it can touch.
 */
function search(rows: readonly number[][], sizes: readonly number[]): number[] | undefined {
  if (rows.length === 0) return undefined;
  const active = [...sizes.keys()].filter((at) => rows.some((row) => row[at] !== 0));
  const groups = active.reduce((sum, at) => sum + sizes[at]!, 0);
  if (groups < DIFFERENCE_LEAST) return active;
  if (rows.length === 1) return undefined;
  for (let block = 0; block < Math.min(DIFFERENCE_LEAST, active.length); block += 1) {
    const found = search(
      zeroOn(
        rows,
        active.filter((_, at) => at % DIFFERENCE_LEAST === block),
      ),
      sizes,
    );
    if (found) return found;
  }
  return undefined;
}

/** Returns a basis of the combinations of the rows that are zero at the given positions. */
function zeroOn(rows: readonly number[][], places: readonly number[]): number[][] {
  const first = new Set(places);
  const order = [...places, ...[...(rows[0] ?? []).keys()].filter((at) => !first.has(at))];
  return echelon(rows.map((row) => order.map((at) => row[at]!)))
    .filter(({ at }) => at >= places.length)
    .map(({ row }) => {
      const original = Array.from({ length: row.length }, () => 0);
      for (const [at, place] of order.entries()) original[place] = row[at]!;
      return original;
    });
}

/** Returns the sets of groups that belong to exactly the same cells. Groups that are in no cell are left out. */
export function atomsOf(cells: readonly { members: Members }[]): Members[] {
  let atoms: Members[] = [];
  let covered = 0n;
  for (const { members } of cells) {
    atoms = atoms.flatMap((atom) => [atom & members, atom & ~members]).filter((atom) => atom !== 0n);
    const fresh = members & ~covered;
    if (fresh !== 0n) atoms.push(fresh);
    covered |= members;
  }
  return atoms;
}

/** Returns one row for each cell: 1 for each atom that is in the cell, otherwise 0. */
function rowsOf(cells: readonly Candidate[], atoms: readonly Members[]): number[][] {
  return cells.map(({ members }) => atoms.map((atom) => ((atom & members) === 0n ? 0 : 1)));
}

/** Returns the rank of the cells on all atoms outside `without`. */
function rankOn(
  cells: readonly Candidate[],
  atoms: readonly Members[],
  without: ReadonlySet<number>,
): number {
  const rows = rowsOf(cells, atoms).map((row) => row.filter((_, at) => !without.has(at)));
  return echelon(rows).length;
}

type Pivoted = { at: number; row: number[] };

/** Returns the reduced row echelon form modulo the prime, without zero rows. */
function echelon(rows: readonly number[][]): Pivoted[] {
  const found: Pivoted[] = [];
  for (const row of rows) {
    const reduced = reduce(row, found);
    if (reduced === undefined) continue;
    for (const each of found) subtract(each.row, reduced.row, each.row[reduced.at]!);
    found.push(reduced);
  }
  return found;
}

/**
 * Reduces a vector by a basis, and scales the result to 1 at its first non-zero element. Returns undefined if the
 * vector is in the span of the basis.
 */
function reduce(vector: readonly number[], basis: readonly Pivoted[]): Pivoted | undefined {
  const row = [...vector];
  for (const { at, row: by } of basis) subtract(row, by, row[at]!);
  const at = row.findIndex((each) => each !== 0);
  if (at === -1) return undefined;
  const inverse = power(row[at]!, PRIME - 2);
  return { at, row: row.map((each) => (each * inverse) % PRIME) };
}

function subtract(row: number[], other: readonly number[], factor: number): void {
  if (factor === 0) return;
  for (const [at, each] of other.entries()) row[at] = (row[at]! + (PRIME - factor) * each) % PRIME;
}

function power(base: number, exponent: number): number {
  let result = 1;
  for (let square = base, rest = exponent; rest > 0; rest = Math.floor(rest / 2)) {
    if (rest % 2 === 1) result = (result * square) % PRIME;
    square = (square * square) % PRIME;
  }
  return result;
}
