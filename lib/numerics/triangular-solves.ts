import type { Matrix } from 'ml-matrix';
import { rowMajor } from './matrix.ts';
import * as w from './wasm-function.ts';

/** Number of systems solved at once. */
export const SYSTEMS = 8;
const [NUMBER, VECTOR] = [8, 16];
const UNKNOWN = NUMBER * SYSTEMS;

const local = w.locals();
const [coefficients, first, end, step, stride, squares] = [
  local(),
  local(),
  local(),
  local(),
  local(),
  local(),
];
const [unknown, known, at] = [local(), local(), local()];
const factor = local();
const parts = Array.from({ length: UNKNOWN / VECTOR }, (_, part) => ({
  offset: VECTOR * part,
  rest: local(),
  total: local(),
}));

/**
 * Solves eight lower triangular systems in place, and writes the sum of squares of each solution at `squares`. The
 * unknowns start at `first`, `step` bytes apart, and end before `end`. Each unknown holds one number for every system.
 * Rows of the coefficients are `stride` bytes long.
 */
export const solveKernel = w.wasmFunction({
  plain,
  parameters: 6,
  integers: 3,
  vectors: 1 + 2 * parts.length,
  body: [
    w.set(unknown, first),
    w.repeatWhile(
      [
        parts.map(({ offset, rest }) => w.set(rest, w.load(unknown, offset))),
        w.set(known, first),
        w.set(at, coefficients),
        w.when(
          w.differ(known, unknown),
          w.repeatWhile(
            [
              w.set(factor, w.two.loadOne(at)),
              parts.map(({ offset, rest }) =>
                w.set(rest, w.two.subtract(rest, w.two.multiply(factor, w.load(known, offset)))),
              ),
              w.set(at, w.add(at, w.constant(NUMBER))),
              w.set(known, w.add(known, step)),
            ],
            w.differ(known, unknown),
          ),
        ),
        w.set(factor, w.two.loadOne(at)),
        parts.map(({ offset, rest, total }) => [
          w.set(rest, w.two.divide(rest, factor)),
          w.save(unknown, rest, offset),
          w.set(total, w.two.add(total, w.two.multiply(rest, rest))),
        ]),
        w.set(coefficients, w.add(coefficients, stride)),
        w.set(unknown, w.add(unknown, step)),
      ],
      w.differ(unknown, end),
    ),
    parts.map(({ offset, total }) => w.save(squares, total, offset)),
    unknown,
  ],
});

/** Runs the kernel in plain TypeScript. Addresses count numbers, not bytes. */
function plain(buffer: ArrayBuffer) {
  const numbers = new Float64Array(buffer);
  return (...addresses: number[]): number => {
    const [coefficientsAt, firstAt, endAt, stepBy, strideBy, squaresAt] = addresses.map(
      (address) => address / NUMBER,
    ) as [number, number, number, number, number, number];
    const totals = numbers.subarray(squaresAt, squaresAt + SYSTEMS).fill(0);
    for (let row = coefficientsAt, at = firstAt; at !== endAt; row += strideBy, at += stepBy) {
      for (let system = 0; system < SYSTEMS; system += 1) {
        let rest = numbers[at + system]!;
        let place = row;
        for (let before = firstAt; before !== at; before += stepBy, place += 1)
          rest -= numbers[place]! * numbers[before + system]!;
        rest /= numbers[place]!;
        numbers[at + system] = rest;
        totals[system]! += rest * rest;
      }
    }
    return endAt * NUMBER;
  };
}

export type TriangularSolves = ReturnType<typeof triangularSolves>;

/**
 * Solves L y = b and then L' x = y for eight right-hand sides at a time. The operations on each right-hand side do not
 * depend on the other right-hand sides.
 *
 * `values` holds the first unknown of all eight systems, then the second, and so on. It initially holds the right-hand
 * sides b; `forward` replaces them by y, and `backward` replaces y by x. `squares` are the sums y'y after `forward`.
 * Source: Golub and Van Loan, "Matrix Computations" (2013), algorithms 3.1.1 and 3.1.2.
 */
export function triangularSolves(lower: Matrix) {
  const size = lower.rows;
  const [valuesAt, squaresAt] = [2 * size * size, 2 * size * size + size * SYSTEMS];
  const { run, buffer } = solveKernel.on(NUMBER * (squaresAt + SYSTEMS));
  const numbers = new Float64Array(buffer);
  numbers.set(rowMajor(lower));
  // If the unknowns are read from the last to the first, the upper triangular matrix is a lower triangular one.
  for (let at = 0; at < size * size; at += 1) {
    const [row, column] = [size - 1 - Math.floor(at / size), size - 1 - (at % size)];
    numbers[size * size + at] = lower.get(column, row);
  }
  const [stride, values, squares] = [NUMBER * size, NUMBER * valuesAt, NUMBER * squaresAt];
  const last = values + UNKNOWN * (size - 1);
  return {
    values: numbers.subarray(valuesAt, squaresAt),
    squares: numbers.subarray(squaresAt, squaresAt + SYSTEMS),
    forward: () => void run(0, values, values + UNKNOWN * size, UNKNOWN, stride, squares),
    backward: () => void run(stride * size, last, values - UNKNOWN, -UNKNOWN, stride, squares),
  };
}
