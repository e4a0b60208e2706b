import { Refusal } from '#lib/core/refusal.ts';
import { canonicalJson } from '#lib/core/seal.ts';
import { Frontier, leafHash, type HashedNode } from './merkle.ts';

/** An entry with its index in the tree, as stored or exported. */
export type Leaf = { index: number; body: string; leafHash: string };

/** Reports the first difference between a log and its tree. */
export class LogBroken extends Refusal {
  constructor(difference: string) {
    super('log_broken', difference);
    this.name = 'LogBroken';
  }
}

/**
 * Recomputes a log: each leaf from its body, and the tree from its leaves. Leaves must be added in order. Throws a
 * `LogBroken` at the first leaf or checkpoint that differs from its stated hash.
 */
export class LogCheck {
  readonly #tree = new Frontier();

  get size(): number {
    return this.#tree.size;
  }

  root(): string {
    return this.#tree.root();
  }

  /** Adds the next leaf. Returns the subtrees that this leaf completes. */
  add({ index, body, leafHash: stated }: Leaf): HashedNode[] {
    if (index !== this.size) throw new LogBroken(`entry ${this.size} is missing; the next one is ${index}`);
    if (!isCanonical(body)) throw new LogBroken(`entry ${index} is not in RFC 8785 form`);
    const computed = leafHash(body);
    if (computed !== stated) throw new LogBroken(`entry ${index} does not match its stored leaf hash`);
    return this.#tree.append(computed);
  }

  /**
   * Compares a checkpoint at the current size with the tree. Throws a `LogBroken` if the checkpoint and the tree
   * differ.
   */
  agree({ size, root }: { size: number; root: string }): void {
    if (size !== this.size) {
      throw new LogBroken(`the log has ${this.size} entries, but a checkpoint states ${size}`);
    }
    if (root !== this.root()) throw new LogBroken(`the checkpoint at ${size} entries has a different root`);
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
 * Whether a text is certainly in RFC 8785 form: it equals the output of `JSON.stringify` and needs no reordering or
 * escapes. `JSON.stringify` differs from RFC 8785 only in the order of members and in lone surrogates, which it writes
 * as escapes.
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
