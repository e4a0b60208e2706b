/** Returns the smallest integer of 1 or more whose cube is `n` or more. Example: `cubeRootCeiling(28)` is 4. */
export function cubeRootCeiling(n: number): number {
  let root = 1;
  while (root * root * root < n) root += 1;
  return root;
}
