import { assertCount, splitOf, type Range } from './merkle.ts';

/*
 * Which subtrees a proof consists of, in the order in which it lists their hashes. Whoever keeps the hashes of complete
 * subtrees reads O(log n) of them for a proof: `completeNodes` of each range.
 */

/**
 * The subtrees beside the way from a leaf to the root (RFC 6962, 2.1.1, PATH), the lowest first. Throws a `RangeError`
 * where the tree has no such leaf. Example: leaf 2 of 7 is proved by the leaves 3; 0 and 1; 4 to 6.
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
 * The subtrees by which a tree is shown to begin with all of a smaller one (RFC 6962, 2.1.2, PROOF). None where the two
 * are equal, or the first is empty. Throws a `RangeError` where the first is the larger.
 * Example: that 7 leaves begin with 3 is proved by the leaves 2; 3; 0 and 1; 4 to 6.
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
  // The tree that remains ends where the first one does. It is known to who asks where it is all of that.
  return (isWhole ? ranges : [...ranges, range]).reverse();
}

function halves({ start, end }: Range): { left: Range; right: Range } {
  const middle = start + splitOf(end - start);
  return { left: { start, end: middle }, right: { start: middle, end } };
}
