import { EMPTY_ROOT, nodeHash } from './merkle.ts';

const HASH = /^[0-9a-f]{64}$/;

export type Inclusion = {
  leafHash: string;
  index: number;
  size: number;
  root: string;
  proof: readonly string[];
};

/**
 * Whether a proof shows that the leaf is at this index of the tree with this root (RFC 9162, 2.1.3.2). The
 * index, the size and the root must come from a trusted source, because a proof can also be valid for another
 * size.
 */
export function verifyInclusion({ leafHash, index, size, root, proof }: Inclusion): boolean {
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  if (![leafHash, root, ...proof].every((hash) => HASH.test(hash))) return false;
  let node = index;
  let last = size - 1;
  let hash = leafHash;
  for (const beside of proof) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      hash = nodeHash(beside, hash);
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else hash = nodeHash(hash, beside);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && hash === root;
}

export type Consistency = {
  first: number;
  second: number;
  firstRoot: string;
  secondRoot: string;
  proof: readonly string[];
};

/** Whether a proof shows that the second tree begins with all leaves of the first (RFC 9162, 2.1.4.2). */
export function verifyConsistency({ first, second, firstRoot, secondRoot, proof }: Consistency): boolean {
  if (!isCount(first) || !isCount(second) || first > second) return false;
  if (![firstRoot, secondRoot, ...proof].every((hash) => HASH.test(hash))) return false;
  if (first === second) return proof.length === 0 && firstRoot === secondRoot;
  if (first === 0) return proof.length === 0 && firstRoot === EMPTY_ROOT;
  let node = first - 1;
  let last = second - 1;
  while (isOdd(node)) [node, last] = [half(node), half(last)];
  // If the first tree is one complete subtree, the verifier knows its hash, so the proof does not contain it.
  const [seed, ...rest] = node === 0 ? [firstRoot, ...proof] : proof;
  if (seed === undefined) return false;
  let [ofFirst, ofSecond] = [seed, seed];
  for (const beside of rest) {
    if (last === 0) return false;
    if (isOdd(node) || node === last) {
      [ofFirst, ofSecond] = [nodeHash(beside, ofFirst), nodeHash(beside, ofSecond)];
      while (!isOdd(node) && node !== 0) [node, last] = [half(node), half(last)];
    } else ofSecond = nodeHash(ofSecond, beside);
    [node, last] = [half(node), half(last)];
  }
  return last === 0 && ofFirst === firstRoot && ofSecond === secondRoot;
}

function isCount(number: number): boolean {
  return Number.isSafeInteger(number) && number >= 0;
}

/** Returns half of a number, rounded down. Bit operations are not used, because they work only below 2^32. */
function half(number: number): number {
  return Math.floor(number / 2);
}

function isOdd(number: number): boolean {
  return number % 2 === 1;
}
