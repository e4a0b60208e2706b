import { powerOfTwo } from '#lib/numerics/power-of-two.ts';

export type Scaled = { values: Float64Array; unit: number };

/**
 * Scales the values by a power of two near the largest magnitude, so that neither squares nor products leave the range
 * of a double. `values[t] * unit` is exactly the given value (unless it is subnormal). If all values are 0, the unit is
 * 1.
 *
 * Never throws.
 *
 * @example
 * scaleToUnit(Float64Array.of(3, -12)); // { values: [0.1875, -0.75], unit: 16 }
 */
export function scaleToUnit(values: Float64Array): Scaled {
  let largest = 0;
  for (let t = 0; t < values.length; t += 1) largest = Math.max(largest, Math.abs(values[t]!));
  const exponent = exponentAbove(largest);
  const down = powerOfTwo(-exponent);
  const scaled = new Float64Array(values.length);
  for (let t = 0; t < values.length; t += 1) scaled[t] = values[t]! * down;
  return { values: scaled, unit: powerOfTwo(exponent) };
}

/** Returns the smallest exponent from -1022 to 1022 whose power of two is above the value; 0 for 0. */
function exponentAbove(value: number): number {
  if (value === 0) return 0;
  let exponent = 0;
  while (exponent < 1022 && powerOfTwo(exponent) <= value) exponent += 1;
  while (exponent > -1022 && powerOfTwo(exponent - 1) > value) exponent -= 1;
  return exponent;
}
