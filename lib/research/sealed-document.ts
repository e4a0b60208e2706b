import { Refusal } from '#lib/core/refusal.ts';
import { checkSeal, type SealCheck } from '#lib/core/seal.ts';
import { AmbiguousJson, readStrictJson } from '#lib/core/strict-json.ts';
import { checkColumn, isColumnDocument } from './column-check.ts';

type ColumnCheck = { intact: boolean; root: string; differences: string[] };

/**
 * Verifies a text that contains either a sealed resource, or a column of a research snapshot and the hash path of this
 * column. Refuses text that two readers could understand differently.
 */
export function checkDocument(text: string): SealCheck | ColumnCheck {
  try {
    const document = readStrictJson(text);
    if (!isColumnDocument(document)) return checkSeal(document);
    const { root, differences } = checkColumn(document);
    return { intact: differences.length === 0, root, differences };
  } catch (error) {
    const code = error instanceof AmbiguousJson ? 'malformed_document' : 'not_sealed';
    throw new Refusal(code, (error as Error).message);
  }
}
