/** Throws a `RangeError` if a confidence level is not between 0 and 1, or if there are no values. */
export function checkLevel(level: number, count: number): void {
  if (!(level > 0 && level < 1)) throw new RangeError(`not a confidence level: ${level}`);
  if (count < 1) throw new RangeError('a measure of tail risk needs at least one value');
}
