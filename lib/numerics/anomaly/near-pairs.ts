import { powerOfTwo } from '../power-of-two.ts';
import type { Table } from './table.ts';
import { EVERY_PAIR, FINDING, TILE, tileKernel } from './tile-kernel.ts';

/** Tiles after which limits that have fallen are looked at anew. */
const TILES_A_CALL = 32;

/**
 * Goes through the pairs of a row and another row whose squared distance may be up to the limit of the row. Limits are
 * infinite at first and lowered on the way. No pair is left out that is up to its limit when its turn comes, and few
 * others are not. Without other rows those of the table are meant: each pair comes once, the earlier row first, and the
 * limit of either of them will do.
 *
 * Distances are compared in numbers of 32 bits, and limits are widened by all that their rounding can do. With
 * u = 2^-24 and p the distance of the rows a and b, the sum of D squares that is found is at most (1 + u)^(D + 2) (p + e)^2
 * with e = u (|a| + |b|), and (p + e)^2 <= (1 + 2^-10) p^2 + (1 + 2^10) e^2. What is too small for 32 bits adds less than
 * 2^-100; what is too large for them is above no limit but a smaller one.
 */
export function nearPairs(table: Table, others?: Table) {
  const D = table.dimensions;
  const among = others === undefined;
  const reference = others ?? table;
  const [count, size] = [table.values.length / D, reference.values.length / D];
  const [tiles, otherTiles] = [Math.ceil(count / TILE), Math.ceil(size / TILE)];
  // Places of numbers in the memory: the tiles of the reference and their limits, the same of the table, the findings.
  const width = D * TILE;
  const limitsAt = otherTiles * width;
  const tilesAt = among ? 0 : limitsAt + otherTiles * TILE;
  const ownLimitsAt = tilesAt + tiles * width;
  const findingsAt = ownLimitsAt + tiles * TILE;
  const { run, buffer } = tileKernel.on(4 * findingsAt + TILES_A_CALL * FINDING);
  const numbers = new Float32Array(buffer, 0, findingsAt);
  const findings = new Uint32Array(buffer, 4 * findingsAt);

  layOut(reference, numbers);
  if (!among) layOut(table, numbers.subarray(tilesAt));
  numbers.fill(-1, limitsAt, limitsAt + otherTiles * TILE);
  numbers.fill(Infinity, ownLimitsAt, findingsAt);

  const widest = lengthsOf(reference).reduce((max, length) => Math.max(max, length), 0);
  const stretch = 1 + powerOfTwo(-9) + (D + 8) * powerOfTwo(-22);
  const slack = lengthsOf(table).map(
    (length) => powerOfTwo(-36) * (length + widest) * (length + widest) + powerOfTwo(-100),
  );

  /** The pairs of a tile that the kernel found near, as its first `length` findings say. */
  const take = (tile: number, length: number, visit: (row: number, other: number) => void) => {
    for (let at = 0; at < length; at += 2) {
      const firstOther = (findings[at]! / (4 * width) - 1) * TILE;
      for (let near = ~findings[at + 1]! & EVERY_PAIR; near !== 0; near &= near - 1) {
        const bit = 31 - Math.clz32(near & -near);
        const row = tile * TILE + Math.floor(bit / TILE);
        const other = firstOther + (bit % TILE);
        if (row < count && other < size && !(among && other <= row)) visit(row, other);
      }
    }
  };
  return {
    lower(row: number, square: number): void {
      numbers[ownLimitsAt + row] = square * stretch + slack[row]!;
    },
    forEach(visit: (row: number, other: number) => void): void {
      for (let tile = 0; tile < tiles; tile += 1) {
        const own = 4 * (tilesAt + tile * width);
        for (let from = among ? tile : 0; from < otherTiles; from += TILES_A_CALL) {
          const to = Math.min(from + TILES_A_CALL, otherTiles);
          const [ownEnd, ownLimits] = [own + 4 * width, 4 * (ownLimitsAt + tile * TILE)];
          const limits = 4 * (limitsAt + from * TILE);
          const end = run(own, ownEnd, ownLimits, 4 * from * width, 4 * to * width, limits, 4 * findingsAt);
          take(tile, end / 4 - findingsAt, visit);
        }
      }
    },
  };
}

/** Tiles of rows as the kernel takes them; rows that the last one lacks are 0. */
function layOut({ values, dimensions: D }: Table, numbers: Float32Array): void {
  for (let from = 0, row = 0; from < values.length; from += D, row += 1) {
    const start = (row - (row % TILE)) * D + (row % TILE);
    for (let d = 0; d < D; d += 1) numbers[start + d * TILE] = values[from + d]!;
  }
}

/** The Euclidean length of each row. */
function lengthsOf({ values, dimensions: D }: Table): Float64Array {
  const found = new Float64Array(values.length / D);
  for (let row = 0; row < found.length; row += 1) {
    let squares = 0;
    for (let at = row * D; at < (row + 1) * D; at += 1) squares += values[at]! * values[at]!;
    found[row] = Math.sqrt(squares);
  }
  return found;
}
