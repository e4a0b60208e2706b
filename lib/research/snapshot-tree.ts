import { leafHash, Frontier, hashOfRange, type HashedNode } from '#lib/audit/merkle.ts';
import { inclusionRanges } from '#lib/audit/merkle-proof.ts';
import { canonicalHash, canonicalJson } from '#lib/core/seal.ts';
import type { MatrixColumn, SnapshotResult } from './research-snapshots.schema.ts';

/*
 * A snapshot is sealed by the root of an RFC 6962 tree. Leaf 0 is the array of the entities. The other leaves
 * are the columns, ordered by key. Each leaf is in RFC 8785 form. One column can therefore be proved to be
 * part of a snapshot without the rest.
 */

/** Returns the leaf hash of the entities, or of one column. */
export function snapshotLeaf(content: readonly string[] | MatrixColumn): string {
  return leafHash(canonicalJson(content));
}

/** Returns the root of the tree with these leaf hashes. Throws a `RangeError` without leaf hashes. */
export function snapshotRoot(leaves: readonly string[]): string {
  if (leaves.length === 0) throw new RangeError('a snapshot has at least the leaf of its entities');
  const tree = new Frontier();
  for (const leaf of leaves) tree.append(leaf);
  return tree.root();
}

/** Returns the hash path that proves a leaf, lowest first. */
export function columnProof(leaves: readonly string[], index: number): string[] {
  const nodes = new Map<string, string>();
  const tree = new Frontier();
  const place = ({ level, index: at }: Pick<HashedNode, 'level' | 'index'>) => `${level}/${at}`;
  for (const leaf of leaves) for (const node of tree.append(leaf)) nodes.set(place(node), node.hash);
  return inclusionRanges(index, leaves.length).map((range) =>
    hashOfRange(range, (node) => nodes.get(place(node))!),
  );
}

/** Returns a hash that is equal for snapshots with equal content. */
export function contentHash({ as_of_date, project, root }: Omit<SnapshotResult, 'content_hash'>): string {
  return canonicalHash({ as_of_date, project, root });
}

/** Returns the leaf hashes of a result, in order. */
export function leavesOf(result: Pick<SnapshotResult, 'entities_leaf_hash' | 'columns'>): string[] {
  return [result.entities_leaf_hash, ...result.columns.map(({ leaf_hash }) => leaf_hash)];
}
