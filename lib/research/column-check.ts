import { leafHash } from '#lib/audit/merkle.ts';
import { verifyInclusion } from '#lib/audit/merkle-verify.ts';
import { canonicalJson } from '#lib/core/seal.ts';

/**
 * A column of a snapshot with its hash path, as read from a document. The content of the column is not verified yet.
 */
export type ColumnDocument = {
  root: string;
  tree_size: number;
  entities: unknown[];
  entities_proof: string[];
  column: Record<string, unknown>;
  leaf: number;
  column_proof: string[];
};

/** Whether a document has the members of a column with its hash path. */
export function isColumnDocument(document: unknown): document is ColumnDocument {
  if (typeof document !== 'object' || document === null || 'seal' in document) return false;
  const { root, tree_size, entities, entities_proof, column, leaf, column_proof } = document as Record<
    string,
    unknown
  >;
  return (
    typeof root === 'string' &&
    typeof tree_size === 'number' &&
    typeof leaf === 'number' &&
    Array.isArray(entities) &&
    Array.isArray(entities_proof) &&
    Array.isArray(column_proof) &&
    typeof column === 'object' &&
    column !== null
  );
}

/**
 * Recomputes the hash paths from the entities to the root and from the column to the root. Returns the parts whose path
 * does not lead to the root. The check needs only the document. The caller must compare the root with the sealed
 * snapshot.
 */
export function checkColumn(document: ColumnDocument): { root: string; differences: string[] } {
  const { root, tree_size: size, entities, entities_proof, column, leaf, column_proof } = document;
  const leads = (content: unknown, index: number, proof: string[]) =>
    proof.every((hash) => typeof hash === 'string') &&
    verifyInclusion({ leafHash: leafHash(canonicalJson(content)), index, size, root, proof });
  const rows = entities.length;
  const cells = ['values', 'event_times', 'known_at', 'age_days', 'reasons'].map((name) => column[name]);
  return {
    root,
    differences: [
      ...(leads(entities, 0, entities_proof) ? [] : ['entities']),
      ...(leaf > 0 && leads(column, leaf, column_proof) ? [] : ['column']),
      ...(cells.every((each) => Array.isArray(each) && each.length === rows) ? [] : ['column (rows)']),
    ],
  };
}
