import { powerOfTwo } from '../power-of-two.ts';
import type { Table } from './table.ts';
import { EVERY_PAIR, FINDING, TILE, tileKernel } from './tile-kernel.ts';

/**
 * Number of tiles that one call processes. After each call, the limits are read again, because the visit may have
 * lowered them.
 */
const TILES_A_CALL = 32;

/**
 * Returns a function that visits pairs of rows whose squared distance can be at most the limit of the row.
 * Limits start at infinity and are lowered during the visit. Every pair that is within its limit when the
 * pair is compared is visited. Few pairs above their limit are visited. Without `others`, the pairs are
 * within the table: each pair is visited once, the earlier row first, if the pair is within the limit of either row.
 *
 * Distances are compared in 32-bit numbers, so limits are widened by the largest possible rounding error.
 * With u = 2^-24 and p the distance of the rows a and b, the computed sum of D squares is at most (1 +
 * u)^(D + 2) (p + e)^2 with e = u (|a| + |b|), and (p + e)^2 <= (1 + 2^-10) p^2 + (1 + 2^10) e^2. Values too
 * small for 32 bits add less than 2^-100. Values too large for 32 bits become infinite, which only exceeds
 * finite limits.
 */
export function nearPairs(table: Table, others?: Table) {
  const D = table.dimensions;
  const among = others === undefined;
  const reference = others ?? table;
  const [count, size] = [table.values.length / D, reference.values.length / D];
  const [tiles, otherTiles] = [Math.ceil(count / TILE), Math.ceil(size / TILE)];
  // Offsets in memory, in this order: the tiles of the reference and the limits of these tiles, the tiles of the table
  // and the limits of these tiles, the findings.
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

  /**
   * Visits the pairs of a tile that the kernel found to be near. The first `length` numbers of `findings` identify the
   * pairs.
   */
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

/** Arranges rows in tiles for the kernel. Missing rows of the last tile are filled with 0. */
function layOut({ values, dimensions: D }: Table, numbers: Float32Array): void {
  for (let from = 0, row = 0; from < values.length; from += D, row += 1) {
    const start = (row - (row % TILE)) * D + (row % TILE);
    for (let d = 0; d < D; d += 1) numbers[start + d * TILE] = values[from + d]!;
  }
}

/** Returns the Euclidean length of each row. */
function lengthsOf({ values, dimensions: D }: Table): Float64Array {
  const found = new Float64Array(values.length / D);
  for (let row = 0; row < found.length; row += 1) {
    let squares = 0;
    for (let at = row * D; at < (row + 1) * D; at += 1) squares += values[at]! * values[at]!;
    found[row] = Math.sqrt(squares);
  }
  return found;
}
