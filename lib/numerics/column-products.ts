import type { Matrix } from 'ml-matrix';
import { matrixOf } from './matrix.ts';
import * as w from './wasm-function.ts';

/** Number of columns processed together. Tables are padded with zero columns to a multiple of this number. */
const TILE = 4;
/** Number of rows passed to the kernel at once. */
const ROWS = 64;
const [NUMBER, VECTOR] = [8, 16];

const local = w.locals();
const [one, another, end, stride, sums, at] = [local(), local(), local(), local(), local(), local()];
const [left, right, factor] = [local(), local(), local()];
const rows = Array.from({ length: TILE }, (_, row) => ({ row, left: local(), right: local() }));

/**
 * Adds the products of four columns with four other columns to a 4-by-4 block of a matrix. The block starts at the
 * address `sums`. The first four columns start at `one`, the other four at `another`. All rows of the table up to `end`
 * are used. Rows of the table and of the matrix are `stride` bytes long.
 */
export const productsKernel = w.wasmFunction({
  plain,
  parameters: 5,
  integers: 1,
  vectors: 3 + 2 * TILE,
  body: [
    w.set(at, sums),
    rows.map((sum) => [
      w.set(sum.left, w.load(at)),
      w.set(sum.right, w.load(at, VECTOR)),
      w.set(at, w.add(at, stride)),
    ]),
    w.repeatWhile(
      [
        w.set(left, w.load(another)),
        w.set(right, w.load(another, VECTOR)),
        rows.map((sum) => [
          w.set(factor, w.two.loadOne(one, NUMBER * sum.row)),
          w.set(sum.left, w.two.add(sum.left, w.two.multiply(factor, left))),
          w.set(sum.right, w.two.add(sum.right, w.two.multiply(factor, right))),
        ]),
        w.set(another, w.add(another, stride)),
        w.set(one, w.add(one, stride)),
      ],
      w.isBelow(one, end),
    ),
    w.set(at, sums),
    rows.map((sum) => [w.save(at, sum.left), w.save(at, sum.right, VECTOR), w.set(at, w.add(at, stride))]),
    at,
  ],
});

/** Runs the kernel in plain TypeScript. Addresses count numbers, not bytes. */
function plain(buffer: ArrayBuffer) {
  const numbers = new Float64Array(buffer);
  return (...addresses: number[]): number => {
    const [oneAt, anotherAt, endAt, width, sumsAt] = addresses.map((address) => address / NUMBER) as [
      number,
      number,
      number,
      number,
      number,
    ];
    for (let left = oneAt, right = anotherAt; left < endAt; left += width, right += width)
      for (let row = 0; row < TILE; row += 1)
        for (let column = 0; column < TILE; column += 1)
          numbers[sumsAt + row * width + column]! += numbers[left + row]! * numbers[right + column]!;
    return (sumsAt + TILE * width) * NUMBER;
  };
}

/**
 * Returns the sums of products of every two columns over the rows, in row order: X'X, D-by-D and symmetric.
 * The results equal plain sums to the bit. `put` writes a row of X into an array from an offset.
 */
export function columnProducts(
  count: number,
  D: number,
  put: (row: number, to: Float64Array, at: number) => void,
): Matrix {
  const width = Math.ceil(D / TILE) * TILE;
  const matrixAt = ROWS * width;
  const { run, buffer } = productsKernel.on(NUMBER * (matrixAt + width * width));
  const numbers = new Float64Array(buffer);
  const stride = NUMBER * width;
  const addSome = (from: number, end: number) => {
    for (let row = from; row < end; row += 1) put(row, numbers, (row - from) * width);
    for (let a = 0; a < width; a += TILE)
      for (let b = 0; b <= a; b += TILE)
        run(NUMBER * a, NUMBER * b, stride * (end - from), stride, NUMBER * (matrixAt + a * width + b));
  };
  for (let from = 0; from < count; from += ROWS) addSome(from, Math.min(from + ROWS, count));
  return matrixOf(D, D, (a, b) => numbers[matrixAt + Math.max(a, b) * width + Math.min(a, b)]!);
}
