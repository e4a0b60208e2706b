import { nearPairs } from './near-pairs.ts';
import type { Table } from './table.ts';

/**
 * The k nearest rows of each row, nearest first. Equal distances are ordered by row. `places` are the row indices and
 * `distances` the Euclidean distances, k per row.
 */
export type Neighbours = { places: Int32Array; distances: Float64Array; k: number };

/** Finds the k nearest reference rows of each row. Errors: `RangeError` if the reference has fewer than k rows. */
export function nearestNeighbours(rows: Table, reference: Table, k: number): Neighbours {
  requireRows(reference, k);
  const pairs = nearPairs(rows, reference);
  const found = noneYet(rows, k);
  pairs.forEach((row, other) => {
    const square = squareBetween(rows, row, reference, other);
    if (isTaken(found, row, other, square)) pairs.lower(row, farthest(found, row));
  });
  return inDistances(found);
}

/**
 * Finds the k nearest rows of each row in one table, among rows more than `apart` positions away. If fewer than k such
 * rows exist, the remaining distances are infinite and their indices 0. Errors: `RangeError` with k rows or fewer.
 */
export function nearestAmong(table: Table, k: number, apart = 0): Neighbours {
  requireRows(table, k + 1);
  const pairs = nearPairs(table);
  const found = noneYet(table, k);
  pairs.forEach((row, other) => {
    if (other - row <= apart) return;
    const square = squareBetween(table, row, table, other);
    if (isTaken(found, row, other, square)) pairs.lower(row, farthest(found, row));
    if (isTaken(found, other, row, square)) pairs.lower(other, farthest(found, other));
  });
  return inDistances(found);
}

function requireRows({ values, dimensions }: Table, rows: number): void {
  const size = values.length / dimensions;
  if (size < rows)
    throw new RangeError(`this number of neighbours needs ${rows} rows, but there are ${size}`);
}

/** Neighbours with squared distances, used during the search. */
type Squares = Neighbours;

function noneYet({ values, dimensions }: Table, k: number): Squares {
  const length = (values.length / dimensions) * k;
  return { places: new Int32Array(length), distances: new Float64Array(length).fill(Infinity), k };
}

function squareBetween(one: Table, row: number, another: Table, other: number): number {
  const D = one.dimensions;
  const [a, b] = [one.values, another.values];
  let square = 0;
  for (let at = row * D, place = other * D; at < (row + 1) * D; at += 1, place += 1) {
    const off = a[at]! - b[place]!;
    square += off * off;
  }
  return square;
}

/**
 * Inserts a row into the k nearest rows of another row if the distance is small enough. Returns whether the row was
 * inserted.
 */
function isTaken({ places, distances, k }: Squares, row: number, place: number, square: number): boolean {
  const first = row * k;
  let at = first + k - 1;
  const last = distances[at]!;
  if (!(square < last || (square === last && place < places[at]!))) return false;
  for (; at > first; at -= 1) {
    const before = distances[at - 1]!;
    if (before < square || (before === square && places[at - 1]! < place)) break;
    distances[at] = before;
    places[at] = places[at - 1]!;
  }
  distances[at] = square;
  places[at] = place;
  return true;
}

function farthest({ distances, k }: Squares, row: number): number {
  return distances[(row + 1) * k - 1]!;
}

function inDistances({ places, distances, k }: Squares): Neighbours {
  return { places, distances: distances.map(Math.sqrt), k };
}
