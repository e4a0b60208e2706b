/** Minor units in one major unit, by the number of decimals of the currency. */
const SCALES = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8];

/** Returns the number of minor units per major unit. Throws a `RangeError` on more than 8 decimals. */
export function minorScale(minorDigits: number): number {
  const scale = SCALES[minorDigits];
  if (scale === undefined) throw new RangeError(`a currency with ${minorDigits} decimals is not known`);
  return scale;
}

/** Returns the nearest double of a decimal times 10^8. */
export const fixedToNumber = (value: bigint): number => Number(value) / 1e8;
