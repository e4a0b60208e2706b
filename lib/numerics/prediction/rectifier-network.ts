/**
 * A network with one hidden layer of rectifiers and a direct linear path. Matrices have one row for each input (of the
 * layer) and one column for each output.
 */
export type RectifierNetwork = Readonly<{
  hidden: readonly (readonly number[])[];
  hiddenBias: readonly number[];
  output: readonly (readonly number[])[];
  outputBias: readonly number[];
  direct: readonly (readonly number[])[];
}>;

/**
 * Returns the outputs of a network for one row of inputs: max(0, x A + a) B + b + x D. Every sum is taken in the order
 * of the inputs, so that the result is the same to the bit on every platform.
 *
 * Shapes: x k; A k-by-h; a h; B h-by-m; b m; D k-by-m. Never throws.
 *
 * Example: for A = [[1]], a = [-1], B = [[2]], b = [5] and D = [[10]], the input 3 gives 39, and 0 gives 5.
 */
export function networkOutputs(
  { hidden, hiddenBias, output, outputBias, direct }: RectifierNetwork,
  inputs: ArrayLike<number>,
): Float64Array {
  const layer = plus(hiddenBias, inputs, hidden).map((value) => Math.max(0, value));
  return plus(plus(outputBias, layer, output), inputs, direct);
}

/** Returns the start plus the product of a row and a matrix. */
function plus(
  start: ArrayLike<number>,
  row: ArrayLike<number>,
  matrix: readonly (readonly number[])[],
): Float64Array {
  const sums = Float64Array.from(start);
  matrix.forEach((weights, at) => {
    const value = row[at]!;
    for (let column = 0; column < sums.length; column += 1) sums[column]! += value * weights[column]!;
  });
  return sums;
}
