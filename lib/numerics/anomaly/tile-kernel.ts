import * as w from '../wasm-function.ts';

/** Rows per tile. The kernel compares each row of a tile with the four rows of another tile at once. */
export const TILE = 4;
/** A mask with one bit for each pair of rows of two tiles. */
export const EVERY_PAIR = (1 << (TILE * TILE)) - 1;
/** Bytes of a finding: the end address of the other tile, and the bits of the pairs. */
export const FINDING = 8;
/** Bytes of four 32-bit numbers. */
const NUMBERS = 16;

const local = w.locals();
const [own, ownEnd, ownLimits, others] = [local(), local(), local(), local()];
const [othersEnd, limits, found] = [local(), local(), local()];
const [at, far] = [local(), local()];
const [other, off] = [local(), local()];
const rows = Array.from({ length: TILE }, (_, row) => ({ row, sum: local(), limit: local() }));

/**
 * Compares one tile of rows (the own tile) with each of several consecutive other tiles, in vectors of four 32-bit
 * numbers. For each pair of rows, sums the squared differences of the columns. Unless every sum is above both limits of
 * its pair, writes a finding at `found`: the end address of the other tile, and one bit for each pair (bit 4 r + c for
 * row r of the own tile and row c of the other tile). The bit is set if the sum is above both limits. Returns the end
 * address of the findings.
 *
 * A tile stores one column after the other. Each column has one number for each of the four rows. The parameters are
 * addresses: `own` to `ownEnd` for the own tile, `others` to `othersEnd` for the other tiles, `ownLimits` and `limits`
 * for their limits.
 */
export const tileKernel = w.wasmFunction({
  plain,
  parameters: 7,
  integers: 2,
  vectors: 2 + 2 * TILE,
  body: [
    rows.map(({ row, limit }) => w.set(limit, w.four.loadOne(ownLimits, 4 * row))),
    w.repeatWhile(
      [
        rows.map(({ sum }) => w.set(sum, w.zeros)),
        w.set(at, own),
        w.repeatWhile(
          [
            w.set(other, w.load(others)),
            rows.map(({ row, sum }) => [
              w.set(off, w.four.subtract(w.four.loadOne(at, 4 * row), other)),
              w.set(sum, w.four.add(sum, w.four.multiply(off, off))),
            ]),
            w.set(others, w.add(others, w.constant(NUMBERS))),
            w.set(at, w.add(at, w.constant(NUMBERS))),
          ],
          w.isBelow(at, ownEnd),
        ),
        w.set(other, w.load(limits)),
        w.set(limits, w.add(limits, w.constant(NUMBERS))),
        w.set(
          far,
          rows
            .map(({ row, sum, limit }) =>
              w.shiftLeft(w.four.above(sum, w.four.larger(limit, other)), TILE * row),
            )
            .reduce(w.or),
        ),
        w.when(w.differ(far, w.constant(EVERY_PAIR)), [
          w.store(found, others),
          w.store(found, far, 4),
          w.set(found, w.add(found, w.constant(FINDING))),
        ]),
      ],
      w.isBelow(others, othersEnd),
    ),
    found,
  ],
});

/** Runs the kernel in plain TypeScript. Storing a number in an array of 32-bit numbers rounds it to 32 bits. */
function plain(buffer: ArrayBuffer) {
  const numbers = new Float32Array(buffer);
  const words = new Int32Array(buffer);
  const sums = new Float32Array(TILE * TILE);
  const [offset, square] = [new Float32Array(1), new Float32Array(1)];
  return (...addresses: number[]): number => {
    const [own, ownEnd, ownLimits, first, end, firstLimits, firstFound] = addresses.map(
      (address) => address / 4,
    ) as [number, number, number, number, number, number, number];
    let found = firstFound;
    for (let others = first, limits = firstLimits; others < end; limits += TILE) {
      sums.fill(0);
      for (let at = own; at < ownEnd; at += TILE, others += TILE)
        for (let pair = 0; pair < TILE * TILE; pair += 1) {
          offset[0] = numbers[at + Math.floor(pair / TILE)]! - numbers[others + (pair % TILE)]!;
          square[0] = offset[0] * offset[0];
          sums[pair]! += square[0];
        }
      let far = 0;
      for (let pair = 0; pair < TILE * TILE; pair += 1) {
        const limit = numbers[ownLimits + Math.floor(pair / TILE)]!;
        const other = numbers[limits + (pair % TILE)]!;
        if (sums[pair]! > (limit < other ? other : limit)) far |= 1 << pair;
      }
      if (far === EVERY_PAIR) continue;
      words[found] = others * 4;
      words[found + 1] = far;
      found += FINDING / 4;
    }
    return found * 4;
  };
}
