import type { Em } from '#lib/database/base.ts';
import { findPack, packOfSequence } from './evidence-pack.write.ts';
import { publishedKeys } from './signing-key.write.ts';

/** Returns a pack with the inputs of its verification: the previous pack, if any, and the published keys. */
export async function findPackInChain(em: Em, uid: string) {
  const row = await findPack(em, uid);
  if (!row) return undefined;
  return { row, before: await packOfSequence(em, row.sequence - 1), keys: await publishedKeys(em) };
}
