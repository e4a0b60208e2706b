import { ln } from '#lib/numerics/natural-log.ts';
import type { CesCoordinates } from './ces-coordinates.ts';
import type { CesRun } from './ces-run.ts';

/**
 * Returns a barrier that grows without bound towards the edge of the stable region and is infinite outside the region.
 * The barrier is minus the sum of the logarithms of 1 - d, 1 + d - s and 1 + d + s, where s and d are trace and
 * determinant of the discount matrix ((1 - a0 + a1, a1 - 1), (1 - a0 - a1, 1 - a0)). If all three terms are positive,
 * the eigenvalues of the matrix lie within the unit circle, and past errors die out. For a real season (form
 * `partial`), the barrier uses b0 and 1 - b0.
 *
 * Source: the stability condition of Svetunkov, Kourentzes and Ord (2022) by Jury's criterion.
 */
export function stabilityBarrier({ kind, a0, a1, b0, b1 }: CesRun): number {
  const ofLevel = kind === 'simple' ? 0 : barrierOf(a0, a1);
  if (kind === 'none') return ofLevel;
  return ofLevel + (kind === 'partial' ? -lnOrInfinite(b0) - lnOrInfinite(1 - b0) : barrierOf(b0, b1));
}

/** Adds `weight` times the gradient of the barrier. */
export function addBarrierGradient(
  run: CesRun,
  at: CesCoordinates,
  weight: number,
  into: Float64Array,
): void {
  if (at.a >= 0) addOf(run.a0, run.a1, weight, into, at.a);
  if (at.b < 0) return;
  if (run.kind === 'partial') into[at.b] = into[at.b]! + weight * (1 / (1 - run.b0) - 1 / run.b0);
  else addOf(run.b0, run.b1, weight, into, at.b);
}

function traceOf(real: number, imaginary: number): number {
  return 2 - 2 * real + imaginary;
}

function determinantOf(real: number, imaginary: number): number {
  return (1 - real) * (1 - real) + 1 - real - imaginary + imaginary * imaginary;
}

function barrierOf(real: number, imaginary: number): number {
  const trace = traceOf(real, imaginary);
  const determinant = determinantOf(real, imaginary);
  return (
    -lnOrInfinite(1 - determinant) -
    lnOrInfinite(1 + determinant - trace) -
    lnOrInfinite(1 + determinant + trace)
  );
}

function addOf(real: number, imaginary: number, weight: number, into: Float64Array, at: number): void {
  const trace = traceOf(real, imaginary);
  const determinant = determinantOf(real, imaginary);
  const [below, left, right] = [
    1 / (1 - determinant),
    1 / (1 + determinant - trace),
    1 / (1 + determinant + trace),
  ];
  const byDeterminant = below - left - right;
  const byTrace = left - right;
  into[at] = into[at]! + weight * (byDeterminant * (2 * real - 3) - 2 * byTrace);
  into[at + 1] = into[at + 1]! + weight * (byDeterminant * (2 * imaginary - 1) + byTrace);
}

function lnOrInfinite(value: number): number {
  return value > 0 ? ln(value) : -Infinity;
}
