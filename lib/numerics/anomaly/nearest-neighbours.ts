import type { Table } from './table.ts';

/** The k nearest rows of a reference to each row: places and Euclidean distances, k a row, nearest first. */
export type Neighbours = { places: Int32Array; distances: Float64Array; k: number };

/**
 * Finds the k nearest reference rows by comparing with all of them; of equally near ones the earlier. `itself` leaves
 * out the row of the same place, where rows and reference are one table.
 *
 * Time rows times reference rows. Errors: `RangeError` where the reference has too few rows.
 */
export function nearestNeighbours(
  rows: Table,
  reference: Table,
  { k, itself }: { k: number; itself: 'left out' | 'a neighbour' },
): Neighbours {
  const D = rows.dimensions;
  const [n, size] = [rows.values.length / D, reference.values.length / D];
  if (size - Number(itself === 'left out') < k) throw new RangeError(`${size} rows have no ${k} neighbours`);
  const places = new Int32Array(n * k);
  const distances = new Float64Array(n * k);
  for (let row = 0; row < n; row += 1) {
    const own = places.subarray(row * k, (row + 1) * k);
    const squares = distances.subarray(row * k, (row + 1) * k).fill(Infinity);
    for (let other = 0; other < size; other += 1) {
      if (other === row && itself === 'left out') continue;
      const square = squareBelow(squares[k - 1]!, rows.values, row * D, reference.values, other * D, D);
      if (square < squares[k - 1]!) insert(own, squares, other, square);
    }
    for (let at = 0; at < k; at += 1) squares[at] = Math.sqrt(squares[at]!);
  }
  return { places, distances, k };
}

/** The squared distance of two rows; of one that is not below the limit, as much of it as shows that. */
function squareBelow(
  limit: number,
  one: Float64Array,
  from: number,
  other: Float64Array,
  otherFrom: number,
  dimensions: number,
): number {
  let square = 0;
  for (let d = 0; d < dimensions; d += 1) {
    const off = one[from + d]! - other[otherFrom + d]!;
    square += off * off;
    // Squares only add to it, so that nothing is lost by looking now and then.
    if ((d & 3) === 3 && square >= limit) return square;
  }
  return square;
}

function insert(places: Int32Array, squares: Float64Array, place: number, square: number): void {
  let at = places.length - 1;
  for (; at > 0 && squares[at - 1]! > square; at -= 1) {
    squares[at] = squares[at - 1]!;
    places[at] = places[at - 1]!;
  }
  squares[at] = square;
  places[at] = place;
}
