import { Refusal } from '#lib/core/refusal.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import { Frontier, leafHash, type HashedNode } from './merkle.ts';

/** An entry in its place, as it is stored or exported. */
export type Leaf = { index: number; body: string; leafHash: string };

/** The first difference between a log and its tree, in words. */
export class LogBroken extends Refusal {
  constructor(difference: string) {
    super('log_broken', difference);
    this.name = 'LogBroken';
  }
}

/**
 * Recomputes a log: every leaf from its body, the tree from the leaves. Leaves are given in their order; what differs
 * from what is stated throws a `LogBroken` at once.
 */
export class LogCheck {
  readonly #tree = new Frontier();

  get size(): number {
    return this.#tree.size;
  }

  root(): string {
    return this.#tree.root();
  }

  /** Takes the next leaf; returns the subtrees that it completes. */
  add({ index, body, leafHash: stated }: Leaf): HashedNode[] {
    if (index !== this.size) throw new LogBroken(`entry ${this.size} is missing; the next one is ${index}`);
    if (!isCanonical(body)) throw new LogBroken(`entry ${index} is not in RFC 8785 form`);
    const computed = leafHash(body);
    if (computed !== stated)
      throw new LogBroken(`entry ${index} is not what was placed: its leaf hash differs`);
    return this.#tree.append(computed);
  }

  /** Holds a checkpoint of the size that has been reached against the tree. */
  agree({ size, root }: { size: number; root: string }): void {
    if (size !== this.size) {
      throw new LogBroken(`the log has ${this.size} entries, and a checkpoint says ${size}`);
    }
    if (root !== this.root()) throw new LogBroken(`the checkpoint at ${size} entries has another root`);
  }
}

function isCanonical(body: string): boolean {
  try {
    const value: unknown = JSON.parse(body);
    return isPlainlyCanonical(body, value) || canonicalJson(value) === body;
  } catch {
    return false;
  }
}

/**
 * Whether a text is surely in RFC 8785 form: it is what JSON makes of its value, which differs from that form by the
 * order of members alone, and by lone surrogates, which are written with an escape.
 */
function isPlainlyCanonical(text: string, value: unknown): boolean {
  return !text.includes('\\ud') && areSorted(value) && JSON.stringify(value) === text;
}

function areSorted(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every(areSorted);
  let last: string | undefined;
  for (const name in value) {
    if (last !== undefined && name < last) return false;
    last = name;
    if (!areSorted((value as Record<string, unknown>)[name])) return false;
  }
  return true;
}
