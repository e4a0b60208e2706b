import { gradientAt, reducedGradient, type KktPoint, type QuadraticProgram } from './active-set.ts';
import { lengthOf, valueOf } from './linear-range.ts';

/**
 * Returns the largest violation of the conditions of optimality (Karush, Kuhn, Tucker): stationarity,
 * feasibility, the signs of the multipliers and complementarity. Violations of bounds are relative to the
 * size of the bound plus the length of the row. Violations of gradients and multipliers are relative to 1 +
 * the largest gradient.
 *
 * Example: the result is 0 at an exact optimum, and about 1e-15 at an optimum in doubles.
 */
export function kktResidual(program: QuadraticProgram, point: KktPoint): number {
  const { size, lower, upper, rows, matrix, linear } = program;
  const { x, rowMultipliers, boundMultipliers } = point;
  const scale = 1 + largest(gradientAt(matrix, linear, x));
  const reduced = reducedGradient(program, x, rowMultipliers);
  let worst = 0;
  const keep = (value: number): void => {
    worst = value > worst || Number.isNaN(value) ? value : worst;
  };
  const side = (value: number, min: number, max: number, multiplier: number, length: number): void => {
    if (value < min) keep((min - value) / (length + Math.abs(min)));
    if (value > max) keep((value - max) / (length + Math.abs(max)));
    if (min === max || multiplier === 0) return;
    // A multiplier belongs to one bound, and must be 0 unless this bound binds.
    const distance = multiplier > 0 ? value - min : max - value;
    keep(Math.min(Math.abs(distance) / length, (Math.abs(multiplier) * length) / scale));
  };
  for (let i = 0; i < size; i += 1) {
    keep(Math.abs(reduced[i]! - boundMultipliers[i]!) / scale);
    side(x[i]!, lower[i]!, upper[i]!, boundMultipliers[i]!, 1);
  }
  rows.forEach((row, k) =>
    side(valueOf(row, x), row.min, row.max, rowMultipliers[k]!, Math.max(lengthOf(row), 1e-300)),
  );
  return worst;
}

function largest(values: Float64Array): number {
  let most = 0;
  for (let i = 0; i < values.length; i += 1) most = Math.max(most, Math.abs(values[i]!));
  return most;
}
