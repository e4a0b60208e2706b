import { checkSeal, type Seal } from '#lib/core/seal.ts';
import { RESEARCH_SNAPSHOTS, type MatrixColumn, type SnapshotResult } from './research-snapshots.schema.ts';
import { contentHash, leavesOf, snapshotLeaf, snapshotRoot } from './snapshot-tree.ts';

/** A snapshot as stored, with some of its columns. Its content is not verified yet. */
export type StoredSnapshot = {
  uid: string;
  members: Record<string, unknown>;
  seal: Seal;
  entities: string[];
  columns: MatrixColumn[];
};

/**
 * Returns the parts of a snapshot that do not match its seal: its members, its entities, or columns. The list
 * is empty if all parts match.
 */
export function snapshotFaults({ members, seal, entities, columns }: StoredSnapshot): string[] {
  const { differences } = checkSeal({ ...members, seal });
  if (differences.length > 0) return differences;
  if (members['kind'] !== RESEARCH_SNAPSHOTS) return ['kind'];
  const result = members['result'] as SnapshotResult;
  if (snapshotRoot(leavesOf(result)) !== result.root) return ['root'];
  if (contentHash(result) !== result.content_hash) return ['content_hash'];
  const faults = snapshotLeaf(entities) === result.entities_leaf_hash ? [] : ['entities'];
  for (const column of columns) {
    const listed = result.columns.find(({ feature }) => feature === column.feature);
    if (listed?.leaf_hash !== snapshotLeaf(column)) faults.push(`column ${column.feature}`);
  }
  return faults;
}
