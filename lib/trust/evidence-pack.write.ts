import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import type { Configuration, PackContent, PackFacts } from './evidence-pack.ts';

/** The facts of a pack that a replay cannot compute from the log. */
export type Pinned = { configuration: Configuration; verifier: PackFacts['verifier'] };

/** A pack in the chain of its workspace and environment. */
export type PackRow = {
  uid: string;
  sequence: number;
  from: Date;
  to: Date;
  previousTreeSize: number;
  treeSize: number;
  rootHash: string;
  packHash: string;
  previousPackHash: string | null;
  pinned: Pinned;
  keyid: string;
  signature: string;
};

export async function findPack(em: Em, uid: string): Promise<PackRow | undefined> {
  return (await readPacks(em, sql`run_uid = ${uid}`, 1))[0];
}

export async function packOfSequence(em: Em, sequence: number): Promise<PackRow | undefined> {
  return (await readPacks(em, sql`sequence = ${sequence}`, 1))[0];
}

export async function newestPack(em: Em): Promise<PackRow | undefined> {
  return (await readPacks(em, sql`true`, 1))[0];
}

/** Lists the packs with a sequence below `before`, newest first. */
export function listPacks(em: Em, before: number | undefined, limit: number): Promise<PackRow[]> {
  return readPacks(em, before === undefined ? sql`true` : sql`sequence < ${before}`, limit);
}

/**
 * Appends a pack to the chain. Throws `PlaceTaken` if another pack with the same sequence was appended first.
 * A retry can then succeed.
 */
export async function chainPack(
  em: Em,
  content: PackContent,
  { pinned, keyid, signature }: Pick<PackRow, 'pinned' | 'keyid' | 'signature'>,
): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await lockChain(em);
  if (((await newestPack(em))?.sequence ?? 0) !== content.sequence - 1) throw new PlaceTaken();
  const { period, log, seal } = content;
  await sql`
    insert into evidence_pack (run_uid, workspace_uid, environment, sequence, period_from, period_to,
      previous_tree_size, tree_size, root_hash, pack_hash, previous_pack_hash, pinned, keyid, signature)
    values (${content.uid}, ${workspace}, ${environment}, ${content.sequence}, ${period.from}, ${period.to},
      ${log.previous_tree_size}, ${log.tree_size}, ${log.root_hash}, ${seal.pack_hash}, ${seal.previous_pack_hash},
      ${JSON.stringify(pinned)}::json, ${keyid}, ${signature})
  `.execute(em.getKysely());
}

/**
 * Reports that another pack with the same sequence was appended to the chain first. The error has the
 * SQLSTATE of a serialization failure, so a retry on the new state can succeed.
 */
class PlaceTaken extends Error {
  readonly code = '40001';
  constructor() {
    super('another evidence pack was appended to the chain first');
  }
}

async function lockChain(em: Em): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    select pg_advisory_xact_lock(hashtextextended(${`evidence ${workspace} ${environment}`}, 0))
  `.execute(em.getKysely());
}

/** Returns the tenant of the em, in the form of members of a pack. */
export function tenantOfPack(em: Em): Pick<PackFacts, 'workspace_uid' | 'environment'> {
  const { workspace, environment } = tenantOf(em);
  return { workspace_uid: workspace, environment };
}

/** Returns when the workspace was created. The first period starts then. */
export async function birthOf(em: Em): Promise<Date> {
  const { rows } = await sql<{ at: number }>`
    select (extract(epoch from created_at) * 1000)::float8 as at from workspace where uid = ${tenantOf(em).workspace}
  `.execute(em.getKysely());
  return new Date(Math.floor(rows[0]!.at));
}

type Read = Omit<PackRow, 'from' | 'to'> & { from: number; to: number };

async function readPacks(em: Em, condition: ReturnType<typeof sql>, limit: number): Promise<PackRow[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Read>`
    select run_uid as uid, sequence::float8 as sequence, (extract(epoch from period_from) * 1000)::float8 as "from",
      (extract(epoch from period_to) * 1000)::float8 as "to", previous_tree_size::float8 as "previousTreeSize",
      tree_size::float8 as "treeSize", root_hash as "rootHash", pack_hash as "packHash",
      previous_pack_hash as "previousPackHash", pinned, keyid, signature
    from evidence_pack
    where workspace_uid = ${workspace} and environment = ${environment} and ${condition}
    order by sequence desc limit ${limit}
  `.execute(em.getKysely());
  return rows.map((row) => ({ ...row, from: new Date(row.from), to: new Date(row.to) }));
}
