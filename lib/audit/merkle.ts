import { sha256 } from '#lib/core/seal.ts';

/*
 * The Merkle tree of RFC 6962 (section 2.1) and RFC 9162. Hashes are lower-case hex.
 *
 * - A **node** is a complete subtree. Level 0 is a leaf. Node `index` of a level covers 2^level leaves,
 *   starting at leaf `index * 2^level`.
 * - A **range** is the leaves from `start` (inclusive) to `end` (exclusive).
 */

export type Node = { level: number; index: number };
export type HashedNode = Node & { hash: string };
export type Range = { start: number; end: number };

/** A function that returns the hash of a node. Throws if the node does not exist. */
export type Lookup = (node: Node) => string;

/** The root of an empty log: the SHA-256 of the empty string. */
export const EMPTY_ROOT = sha256('');

/** Returns the hash of a leaf: SHA-256(0x00 || data). A string is hashed as UTF-8 bytes. */
export function leafHash(data: string | Uint8Array): string {
  return sha256(typeof data === 'string' ? `\0${data}` : Buffer.concat([Buffer.of(0), data]));
}

/** Returns the hash of an inner node: SHA-256(0x01 || left || right). */
export function nodeHash(left: string, right: string): string {
  return sha256(Buffer.from(`01${left}${right}`, 'hex'));
}

/**
 * Splits a range into complete subtrees, from left to right. The range must occur in a proof: its start must be a
 * multiple of the smallest power of two that is not below its length. The subtrees of such a range get smaller from
 * left to right, with at most one subtree per level. Example: the leaves 4 to 6 are node 2 of level 1 and node 6 of
 * level 0.
 */
export function completeNodes({ start, end }: Range): Node[] {
  const nodes: Node[] = [];
  for (let at = start; at < end;) {
    const level = largestLevel(end - at);
    const width = powerOfTwo(level);
    nodes.push({ level, index: at / width });
    at += width;
  }
  return nodes;
}

/** Returns the hash of the subtree over a range of a proof. Throws a `RangeError` if the range is empty. */
export function hashOfRange(range: Range, lookup: Lookup): string {
  return fold(completeNodes(range).map(lookup));
}

/**
 * A growing Merkle tree that stores only its right edge: the hashes of the complete subtrees that form the tree, at
 * most one per level.
 */
export class Frontier {
  #size: number;
  /** The nodes from left to right, with decreasing levels. */
  readonly #edge: HashedNode[];

  /** Creates a tree of `size` leaves, whose complete subtrees come from `lookup`. The default is an empty tree. */
  constructor(size = 0, lookup: Lookup = unknownNode) {
    assertCount(size);
    this.#size = size;
    this.#edge = completeNodes({ start: 0, end: size }).map((node) => ({ ...node, hash: lookup(node) }));
  }

  get size(): number {
    return this.#size;
  }

  /** Appends a leaf. Returns the leaf and the subtrees that are complete with this leaf. */
  append(hash: string): HashedNode[] {
    let last: HashedNode = { level: 0, index: this.#size, hash };
    const completed = [last];
    while (this.#edge.at(-1)?.level === last.level) {
      const left = this.#edge.pop()!;
      last = { level: last.level + 1, index: left.index / 2, hash: nodeHash(left.hash, last.hash) };
      completed.push(last);
    }
    this.#edge.push(last);
    this.#size += 1;
    return completed;
  }

  root(): string {
    return this.#size === 0 ? EMPTY_ROOT : fold(this.#edge.map(({ hash }) => hash));
  }
}

/** Returns the largest power of two below `size`, which must be at least 2. RFC 6962 splits a tree at this leaf. */
export function splitOf(size: number): number {
  return powerOfTwo(largestLevel(size - 1));
}

/** Throws a `RangeError` if `size` is not a valid number of leaves. */
export function assertCount(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`not a number of leaves: ${size}`);
}

/**
 * Joins the hashes of subtrees, given from left to right, into the root. Joining starts at the right, where the
 * smallest subtrees are.
 */
function fold(hashes: readonly string[]): string {
  if (hashes.length === 0) throw new RangeError('an empty range has no hash');
  return hashes.reduceRight((right, left) => nodeHash(left, right));
}

function largestLevel(size: number): number {
  let level = 0;
  for (let rest = size; rest >= 2; rest = Math.floor(rest / 2)) level += 1;
  return level;
}

function powerOfTwo(level: number): number {
  let power = 1;
  for (let at = 0; at < level; at += 1) power *= 2;
  return power;
}

function unknownNode({ level, index }: Node): never {
  throw new Error(`the hash of node ${index} of level ${level} is not known`);
}
