import { sha256 } from '#lib/core/seal.ts';

/*
 * The Merkle tree of RFC 6962 (section 2.1) and RFC 9162. Hashes are lower-case hex. A **node** is a complete subtree:
 * level 0 is a leaf, and node `index` of a level covers the leaves from `index * 2^level` on, 2^level of them. A
 * **range** is the leaves from `start` up to, but without, `end`.
 */

export type Node = { level: number; index: number };
export type HashedNode = Node & { hash: string };
export type Range = { start: number; end: number };

/** Where the hashes of nodes come from. Throws where there is none. */
export type Lookup = (node: Node) => string;

/** Root of a log without entries: the SHA-256 of nothing. */
export const EMPTY_ROOT = sha256('');

/** Hash of a leaf: SHA-256(0x00 || data). A text is its UTF-8 bytes. */
export function leafHash(data: string | Uint8Array): string {
  return sha256(typeof data === 'string' ? `\0${data}` : Buffer.concat([Buffer.of(0), data]));
}

/** Hash of an inner node: SHA-256(0x01 || left || right). */
export function nodeHash(left: string, right: string): string {
  return sha256(Buffer.from(`01${left}${right}`, 'hex'));
}

/**
 * The complete subtrees that a range is made of, from left to right. A range that a proof asks for begins at a multiple
 * of its length rounded up to a power of two, so that its subtrees get smaller: at most one of each level.
 * Example: the leaves 4 to 6 are node 2 of level 1 and node 6 of level 0.
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

/** Hash of the subtree over a range as above. Throws a `RangeError` on an empty one. */
export function hashOfRange(range: Range, lookup: Lookup): string {
  return fold(completeNodes(range).map(lookup));
}

/**
 * A tree that grows, of which only the right edge is kept: the hashes of the complete subtrees that its leaves are made
 * of, at most one of each level.
 */
export class Frontier {
  #size: number;
  /** From left to right, so with falling levels. */
  readonly #edge: HashedNode[];

  /** A tree of `size` leaves whose complete subtrees `lookup` knows; an empty one by default. */
  constructor(size = 0, lookup: Lookup = unknownNode) {
    assertCount(size);
    this.#size = size;
    this.#edge = completeNodes({ start: 0, end: size }).map((node) => ({ ...node, hash: lookup(node) }));
  }

  get size(): number {
    return this.#size;
  }

  /** Appends a leaf; returns the subtrees that it completes, itself first. */
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

/** The largest power of two below a size of two or more: where RFC 6962 splits a tree. */
export function splitOf(size: number): number {
  return powerOfTwo(largestLevel(size - 1));
}

/** Throws a `RangeError` on what cannot be a number of leaves. */
export function assertCount(size: number): void {
  if (!Number.isSafeInteger(size) || size < 0) throw new RangeError(`not a number of leaves: ${size}`);
}

/** Subtrees from left to right are joined from the right, as the smallest stand there. */
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
