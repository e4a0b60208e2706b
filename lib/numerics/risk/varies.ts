/** Whether at least two values differ. False without values. Example: `varies([1, 1, 1])` is false. */
export function varies(values: ArrayLike<number>): boolean {
  for (let t = 1; t < values.length; t += 1) if (values[t] !== values[0]) return true;
  return false;
}
