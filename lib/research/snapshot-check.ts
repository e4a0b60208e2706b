import { checkSeal, type Seal } from '#lib/core/seal.ts';
import { RESEARCH_SNAPSHOTS, type MatrixColumn, type SnapshotResult } from './research-snapshots.schema.ts';
import { contentHash, leavesOf, snapshotLeaf, snapshotRoot } from './snapshot-tree.ts';

/** A snapshot as it is stored, with some of its columns. What stands in it is not trusted yet. */
export type StoredSnapshot = {
  uid: string;
  members: Record<string, unknown>;
  seal: Seal;
  entities: string[];
  columns: MatrixColumn[];
};

/** What does not agree with the seal of a snapshot: its members, its entities, or a column; nothing where all does. */
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
