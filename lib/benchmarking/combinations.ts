import { DIFFERENCE_LEAST, type Candidate } from './differences.ts';
import { sizeOf, type Members } from './members.ts';

/** A prime below 2^26, so that products of residues are exact in double precision. */
const PRIME = 67_108_859;

/**
 * Returns the cells that may be published together under the strictest rule: every linear combination of the cells
 * that is not zero depends on at least five groups. Differences of unions of cells are such combinations. The rule
 * also covers cells of several classifications, such as a region less two service classes plus the whole.
 *
 * Groups with the same memberships form an atom, and a combination of cells is a vector over the atoms. A combination
 * that depends on few groups has its support on few small atoms. Such a combination exists exactly if the columns of
 * these atoms are linearly dependent in the dual code. Ranks are computed modulo a prime: a combination over the
 * rationals is never missed, and a rare additional one only withholds one cell more.
 */
export function withholdCombinations(cells: readonly Candidate[]): Candidate[] {
  let kept = cells.filter(({ members }) => members !== 0n);
  for (;;) {
    const few = fewGroups(kept);
    if (few === undefined) return kept;
    const [smallest] = involvedCells(kept, few).toSorted(
      (one, other) => sizeOf(one.members) - sizeOf(other.members) || (one.key < other.key ? -1 : 1),
    );
    if (!smallest) return kept; // readers have already seen all cells that remain
    kept = kept.filter((cell) => cell !== smallest);
  }
}

/**
 * Returns the cells of which one is withheld: those whose absence alone reduces the combinations on these atoms. If
 * each of them can be replaced by others, as a whole by its parts, all cells count that are not published yet.
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

/** Returns the dimension of the combinations of the cells that depend on these atoms alone. */
function combinationsOn(cells: readonly Candidate[], { atoms, support }: Few): number {
  return rankOn(cells, atoms, new Set()) - rankOn(cells, atoms, support);
}

type Few = { atoms: readonly Members[]; support: ReadonlySet<number> };

/** Finds atoms with one to four groups together that carry a combination of the cells; undefined if there are none. */
function fewGroups(cells: readonly Candidate[]): Few | undefined {
  const atoms = atomsOf(cells);
  const sizes = atoms.map(sizeOf);
  const columns = dualColumns(cells, atoms);
  const small = [...atoms.keys()].filter((at) => sizes[at]! < DIFFERENCE_LEAST);
  const search = (
    from: number,
    left: number,
    basis: readonly Pivoted[],
    taken: number[],
  ): number[] | undefined => {
    for (let at = from; at < small.length; at += 1) {
      const atom = small[at]!;
      if (sizes[atom]! > left) continue;
      const reduced = reduce(columns[atom]!, basis);
      if (reduced === undefined) return [...taken, atom];
      const found = search(at + 1, left - sizes[atom]!, [...basis, reduced], [...taken, atom]);
      if (found) return found;
    }
    return undefined;
  };
  const found = search(0, DIFFERENCE_LEAST - 1, [], []);
  return found && { atoms, support: new Set(found) };
}

/** Returns the sets of groups that belong to exactly the same cells, apart from groups in no cell. */
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

/** Returns the incidence rows of the cells over the atoms. */
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

/**
 * Returns the columns of a basis of the dual code, one for each atom: the vectors that are orthogonal to all cells.
 */
function dualColumns(cells: readonly Candidate[], atoms: readonly Members[]): number[][] {
  const pivots = echelon(rowsOf(cells, atoms));
  const isPivot = new Map(pivots.map(({ at }, row) => [at, row]));
  const free = [...atoms.keys()].filter((at) => !isPivot.has(at));
  return [...atoms.keys()].map((at) => {
    const row = isPivot.get(at);
    if (row === undefined) return free.map((each) => (each === at ? 1 : 0));
    return free.map((each) => (PRIME - pivots[row]!.row[each]!) % PRIME);
  });
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

/** Reduces a vector by a basis, scaled to 1 at its first place. Undefined if the basis spans the vector. */
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
