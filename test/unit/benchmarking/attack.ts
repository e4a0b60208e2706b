import type { Cell } from '#lib/benchmarking/disclosure.ts';
import type { MonthCell } from '#lib/benchmarking/months.ts';

/** A way to obtain a figure of few groups from published cells. */
export type Leak = { groups: number; by: string };

const FEW = 4;

/**
 * Subtracts every union of disjoint published cells from every such union that contains it. Returns the results that
 * contain one to four groups. Sets of groups are compared as sets of names, without the code of the product.
 */
export function subtractUnions(cells: readonly Cell[]): Leak[] {
  const published = cells.filter(({ reason }) => reason === null);
  const numbers = new Map(
    [...new Set(published.flatMap((cell) => cell.groups))].map((name, at) => [name, at]),
  );
  const masks = published.map((cell) =>
    cell.groups.reduce((mask, name) => mask | (1n << BigInt(numbers.get(name)!)), 0n),
  );
  let unions: { name: string; mask: bigint }[] = [];
  for (const [at, mask] of masks.entries()) {
    const joined = unions.filter((each) => (each.mask & mask) === 0n);
    unions = [
      ...unions,
      { name: published[at]!.cohort, mask },
      ...joined.map((each) => ({ name: `${each.name} + ${published[at]!.cohort}`, mask: each.mask | mask })),
    ];
  }
  const leaks: Leak[] = [];
  for (const one of unions) {
    for (const other of unions) {
      if ((other.mask & ~one.mask) !== 0n) continue; // only a contained union can be subtracted
      const groups = bits(one.mask & ~other.mask);
      if (groups >= 1 && groups <= FEW) leaks.push({ groups, by: `${one.name} - (${other.name})` });
    }
  }
  return leaks;
}

/**
 * Subtracts every union of disjoint published cells of a month from every such union of another month. Groups that are
 * in both unions with equal figures cancel. Returns the differences that depend on one to four groups, at least one of
 * which joined or left.
 */
export function subtractMonths(now: readonly MonthCell[], then: readonly MonthCell[]): Leak[] {
  const leaks: Leak[] = [];
  const before = disjointUnions(then);
  for (const one of disjointUnions(now)) {
    for (const other of before) {
      const names = new Set([...one.figures.keys(), ...other.figures.keys()]);
      const apart = [...names].filter(
        (name) => one.figures.get(name)?.stored !== other.figures.get(name)?.stored,
      );
      const moved = apart.filter((name) => one.figures.has(name) !== other.figures.has(name));
      if (moved.length > 0 && apart.length <= FEW)
        leaks.push({ groups: apart.length, by: `${one.key} - (${other.key}) of an earlier month` });
    }
  }
  return leaks;
}

function disjointUnions(cells: readonly MonthCell[]): MonthCell[] {
  let unions: MonthCell[] = [];
  for (const cell of cells) {
    const joined = unions
      .filter(({ figures }) => [...cell.figures.keys()].every((name) => !figures.has(name)))
      .map(({ key, figures }) => ({
        key: `${key} + ${cell.key}`,
        figures: new Map([...figures, ...cell.figures]),
      }));
    unions = [...unions, cell, ...joined];
  }
  return unions;
}

/**
 * Solves for the sum of every set of one to four groups as a linear combination of the published cells, in exact
 * integer arithmetic. Returns the sets that have a solution. A set of groups is a linear combination if and only if
 * every vector that is orthogonal to all cells is orthogonal to the set.
 */
export function solveForGroups(cells: readonly Cell[]): Leak[] {
  const published = cells.filter(({ reason }) => reason === null);
  const atoms = [
    ...Map.groupBy(new Set(published.flatMap((cell) => cell.groups)), (name) =>
      published.map((cell) => (cell.groups.includes(name) ? '1' : '0')).join(''),
    ),
  ].map(([signature, names]) => ({ signature, size: names.length }));
  const rows = published.map((_, row) => atoms.map(({ signature }) => (signature[row] === '1' ? 1n : 0n)));
  const orthogonal = nullSpace(rows, atoms.length);
  const columns = atoms.map((_, at) => orthogonal.map((vector) => vector[at]!));
  const small = [...atoms.keys()].filter((at) => atoms[at]!.size <= FEW);
  const leaks: Leak[] = [];
  const search = (from: number, groups: number, sum: bigint[], names: string[]): void => {
    if (groups > 0 && sum.every((each) => each === 0n)) leaks.push({ groups, by: names.join(' and ') });
    for (let place = from; place < small.length; place += 1) {
      const at = small[place]!;
      const { size, signature } = atoms[at]!;
      if (groups + size > FEW) continue;
      search(
        place + 1,
        groups + size,
        sum.map((each, row) => each + columns[at]![row]!),
        [...names, signature],
      );
    }
  };
  search(0, 0, columns[0] ? columns[0].map(() => 0n) : [], []);
  return leaks;
}

/** Returns a basis of the integer vectors that are orthogonal to all rows, by elimination without fractions. */
function nullSpace(given: readonly bigint[][], width: number): bigint[][] {
  const rows = given.map((row) => [...row]);
  const pivots: number[] = [];
  for (let column = 0; column < width && pivots.length < rows.length; column += 1) {
    const at = rows.findIndex((row, index) => index >= pivots.length && row[column] !== 0n);
    if (at === -1) continue;
    const to = pivots.length;
    [rows[to], rows[at]] = [rows[at]!, rows[to]!];
    const by = rows[to]!;
    for (const [index, row] of rows.entries()) {
      if (index === to || row[column] === 0n) continue;
      const [factor, own] = [row[column]!, by[column]!];
      for (const place of row.keys()) row[place] = row[place]! * own - by[place]! * factor;
    }
    pivots.push(column);
  }
  const free = [...Array(width).keys()].filter((column) => !pivots.includes(column));
  return free.map((column) => {
    const scale = pivots.reduce((product, pivot, row) => product * rows[row]![pivot]!, 1n);
    const vector = Array.from({ length: width }, () => 0n);
    vector[column] = scale;
    for (const [row, pivot] of pivots.entries())
      vector[pivot] = (-rows[row]![column]! * scale) / rows[row]![pivot]!;
    return vector;
  });
}

function bits(mask: bigint): number {
  return mask.toString(2).replaceAll('0', '').length;
}
