import { assertCount, splitOf, type Range } from './merkle.ts';

/*
 * Finds the subtrees whose hashes form a proof, in the order of the proof. If the hashes of complete subtrees
 * are stored, a proof is computed from O(log n) stored hashes: the hashes of the `completeNodes` of each
 * range.
 */

/**
 * Returns the sibling subtrees on the path from a leaf to the root, lowest first (RFC 6962, 2.1.1, PATH). Throws a
 * `RangeError` if the tree does not have the leaf. Example: the proof of leaf 2 in a tree of 7 leaves has three
 * subtrees: leaf 3, leaves 0 to 1, and leaves 4 to 6.
 */
export function inclusionRanges(index: number, size: number): Range[] {
  assertCount(index);
  assertCount(size);
  if (index >= size) throw new RangeError(`a tree of ${size} leaves has no leaf ${index}`);
  const ranges: Range[] = [];
  let range = { start: 0, end: size };
  while (range.end - range.start > 1) {
    const { left, right } = halves(range);
    const isLeft = index < left.end;
    ranges.push(isLeft ? right : left);
    range = isLeft ? left : right;
  }
  return ranges.reverse();
}

/**
 * Returns the subtrees that prove that a tree begins with all leaves of a smaller tree (RFC 6962, 2.1.2, PROOF). The
 * list is empty if the trees are equal, or if the first tree is empty. Throws a `RangeError` if the first tree is
 * larger. Example: the proof that a tree of 7 leaves begins with the tree of 3 leaves has four subtrees: leaf 2, leaf
 * 3, leaves 0 to 1, and leaves 4 to 6.
 */
export function consistencyRanges(first: number, second: number): Range[] {
  assertCount(first);
  assertCount(second);
  if (first > second) throw new RangeError(`a tree of ${second} leaves does not begin with ${first}`);
  if (first === 0 || first === second) return [];
  const ranges: Range[] = [];
  let range = { start: 0, end: second };
  let isWhole = true;
  while (first < range.end) {
    const { left, right } = halves(range);
    const isLeft = first <= left.end;
    ranges.push(isLeft ? right : left);
    range = isLeft ? left : right;
    isWhole &&= isLeft;
  }
  // The remaining range ends where the first tree ends. If the range is the whole first tree, the proof omits the
  // hash, because the verifier knows it.
  return (isWhole ? ranges : [...ranges, range]).reverse();
}

function halves({ start, end }: Range): { left: Range; right: Range } {
  const middle = start + splitOf(end - start);
  return { left: { start, end: middle }, right: { start: middle, end } };
}
