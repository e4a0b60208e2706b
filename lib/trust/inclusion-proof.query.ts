import { sql } from 'kysely';
import { LogBroken } from '#lib/audit/log-check.ts';
import { leafHash } from '#lib/audit/merkle.ts';
import { verifyInclusion } from '#lib/audit/merkle-verify.ts';
import { proveInclusion } from '#lib/audit/tree.query.ts';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { readResult } from '#lib/pipeline/run-result.query.ts';
import { newestPack } from './evidence-pack.write.ts';
import { withEnvelope, type PackContent } from './evidence-pack.ts';

export const PROOF_SCHEMA = 'svc.inclusion-proof/1';

/**
 * Proof that an entry is in the log: the entry, its index, the path to the root, and the pack that signs the
 * root.
 */
export type InclusionDocument = {
  schema: typeof PROOF_SCHEMA;
  inclusion: { entry: string; index: number; path: string[] };
  pack: ReturnType<typeof withEnvelope>;
};

/**
 * Proves that an entry of the tenant of `em` is in the log under the newest signed checkpoint. If the entry is newer
 * than this checkpoint, or if no checkpoint exists, returns the size of the checkpoint instead. Throws a `LogBroken` if
 * the stored entry differs from the leaf in the log.
 */
export async function proveEntry(em: Em, index: number): Promise<InclusionDocument | { signed: number }> {
  const pack = await newestPack(em);
  if (!pack || index >= pack.treeSize) return { signed: pack?.treeSize ?? 0 };
  const entry = await entryAt(em, index);
  const path = await proveInclusion(em, index, pack.treeSize);
  const place = { index, size: pack.treeSize, root: pack.rootHash };
  if (!verifyInclusion({ ...place, leafHash: leafHash(entry), proof: path })) {
    throw new LogBroken(`entry ${index} does not match its leaf hash`);
  }
  const { members } = await readResult(em, pack.uid, []);
  return {
    schema: PROOF_SCHEMA,
    inclusion: { entry, index, path },
    pack: withEnvelope(members['result'] as PackContent, pack),
  };
}

/** Returns how many entries of the log the newest evidence pack covers: those with an index below this number. */
export async function signedEntries(em: Em): Promise<number> {
  return (await newestPack(em))?.treeSize ?? 0;
}

async function entryAt(em: Em, index: number): Promise<string> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ body: string }>`
    select e.body from audit_leaf l join audit_entry e on e.id = l.entry_id
    where l.workspace_uid = ${workspace} and l.environment = ${environment} and l.leaf_index = ${index}
  `.execute(em.getKysely());
  if (!rows[0]) throw new LogBroken(`entry ${index} is missing`);
  return rows[0].body;
}
