import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { LogBroken, LogCheck, type Leaf } from './log-check.ts';
import type { HashedNode } from './merkle.ts';
import { verifyConsistency, verifyInclusion } from './merkle-verify.ts';
import {
  findNodes,
  hashesOfStretches,
  newestCheckpoint,
  proveConsistency,
  proveInclusion,
  readCheckpoints,
  readNodes,
  type Checkpoint,
} from './tree.query.ts';

const BATCH = 5_000;
const HASH_DIGITS = 64;
/** The number of newest checkpoints whose proofs are verified. Older checkpoints are only compared with the tree. */
const PROVED = 20;

/**
 * Yields the entries of the tenant of `em` whose index is below `size`, in batches, in the order of their
 * indexes.
 */
export async function* readLeaves(em: Em, size: number): AsyncGenerator<Leaf[]> {
  let next = readBatch(em, 0, size);
  for (let from = 0; from < size; from += BATCH) {
    const leaves = await next;
    // The next batch is read while the caller processes this one. A caller that stops early must not get the error of a
    // batch that it never requested.
    next = readBatch(em, from + BATCH, size);
    next.catch(() => {});
    yield leaves;
  }
}

/**
 * Returns a batch of entries. Each entry is looked up by its key, because a planner without statistics would otherwise
 * scan the whole table.
 */
async function readBatch(em: Em, from: number, size: number): Promise<Leaf[]> {
  if (from >= size) return [];
  const { workspace, environment } = tenantOf(em);
  const end = Math.min(from + BATCH, size);
  const { rows } = await sql<Omit<Leaf, 'leafHash'>>`
    select l.leaf_index::float8 as index, entry.body
    from audit_leaf l cross join lateral (select e.body from audit_entry e where e.id = l.entry_id limit 1) entry
    where l.workspace_uid = ${workspace} and l.environment = ${environment}
      and l.leaf_index >= ${from} and l.leaf_index < ${end}
    order by l.leaf_index
  `.execute(em.getKysely());
  const [hashes] = await hashesOfStretches(em, [{ level: 0, start: from, end }]);
  if (hashes !== undefined)
    return rows.map((leaf) => ({ ...leaf, leafHash: hashAt(hashes, leaf.index - from) }));
  const leaves = rows.map(({ index }) => ({ level: 0, index }));
  const placed = await findNodes(em, leaves);
  return rows.map((leaf, at) => ({ ...leaf, leafHash: placed(leaves[at]!) ?? 'none' }));
}

function hashAt(hashes: string, place: number): string {
  return hashes.slice(place * HASH_DIGITS, (place + 1) * HASH_DIGITS);
}

export type VerifiedLog = {
  size: number;
  root: string;
  checkpoints: number;
  /** The number of committed entries that have no position in the log tree yet. */
  pending: number;
};

/**
 * Recomputes the log of the tenant of `em` and compares the result with everything that is stored about the log: all
 * leaves, subtrees and checkpoints, the proofs derived from them, and the completeness of the entries. Throws a
 * `LogBroken` at the first difference. Ignores entries that get their position during the check.
 */
export async function verifyLog(em: Em): Promise<VerifiedLog> {
  const newest = await newestCheckpoint(em);
  const size = newest?.size ?? 0;
  const check = new LogCheck();
  let checkpoints: Checkpoint[] = [];
  let count = 0;
  for await (const leaves of readLeaves(em, size)) {
    checkpoints = await readCheckpoints(em, check.size, Math.min(check.size + BATCH, size));
    count += checkpoints.length;
    await holdAgainstStored(em, takeLeaves(check, leaves, checkpoints));
  }
  if (newest) check.agree(newest);
  for (const checkpoint of checkpoints.slice(-PROVED)) await holdAgainstProofs(em, checkpoint, newest!);
  const { pending, lost } = await countPlaceless(em);
  if (lost > 0) throw new LogBroken(`${lost} entries are neither in the tree nor waiting to be added to it`);
  return { size, root: check.root(), checkpoints: count, pending };
}

/**
 * Adds the leaves to the recomputed tree, and compares this tree with each stored checkpoint of the same
 * size. Returns the subtrees that the leaves complete.
 */
function takeLeaves(
  check: LogCheck,
  leaves: readonly Leaf[],
  checkpoints: readonly Checkpoint[],
): HashedNode[] {
  const bySize = new Map(checkpoints.map((checkpoint) => [checkpoint.size, checkpoint]));
  return leaves.flatMap((leaf) => {
    const completed = check.add(leaf);
    const checkpoint = bySize.get(check.size);
    if (checkpoint) check.agree(checkpoint);
    return completed;
  });
}

/**
 * Compares the completed subtrees with the stored subtrees. Leaves are skipped, because the leaves were compared
 * earlier.
 */
async function holdAgainstStored(em: Em, completed: readonly HashedNode[]): Promise<void> {
  const levels = Map.groupBy(
    completed.filter(({ level }) => level > 0),
    ({ level }) => level,
  );
  const stretches = [...levels].map(([level, nodes]) => ({
    level,
    start: nodes[0]!.index,
    end: nodes.at(-1)!.index + 1,
  }));
  const stored = await hashesOfStretches(em, stretches);
  for (const [at, nodes] of [...levels.values()].entries()) {
    if (stored[at] !== nodes.map(({ hash }) => hash).join('')) await findDifference(em, nodes);
  }
}

async function findDifference(em: Em, nodes: readonly HashedNode[]): Promise<never> {
  const stored = await findNodes(em, nodes);
  for (const node of nodes) {
    const where = `node ${node.index} of level ${node.level}`;
    const hash = stored(node);
    if (hash === undefined) throw new LogBroken(`${where} is not stored`);
    if (hash !== node.hash) throw new LogBroken(`${where} has a different hash`);
  }
  throw new LogBroken(`the nodes of level ${nodes[0]!.level} changed during the check`);
}

/**
 * Verifies the proofs that a caller would receive: the proof that the log has only grown since the
 * checkpoint, and the inclusion proof of the last entry of the checkpoint.
 */
async function holdAgainstProofs(em: Em, { size, root }: Checkpoint, newest: Checkpoint): Promise<void> {
  const growth = {
    first: size,
    second: newest.size,
    firstRoot: root,
    secondRoot: newest.root,
    proof: await proveConsistency(em, size, newest.size),
  };
  if (!verifyConsistency(growth)) throw new LogBroken(`the log does not extend its checkpoint at ${size}`);
  const last = { level: 0, index: size - 1 };
  const inclusion = {
    leafHash: (await readNodes(em, [last]))(last),
    index: last.index,
    size: newest.size,
    root: newest.root,
    proof: await proveInclusion(em, last.index, newest.size),
  };
  if (!verifyInclusion(inclusion))
    throw new LogBroken(`the inclusion proof of entry ${last.index} is not valid`);
}

export async function countPlaceless(em: Em): Promise<{ pending: number; lost: number }> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ pending: number; lost: number }>`
    select count(*) filter (where p.entry_id is not null)::int as pending,
      count(*) filter (where p.entry_id is null)::int as lost
    from audit_entry e left join audit_pending p on p.entry_id = e.id
    where e.workspace_uid = ${workspace} and e.environment = ${environment}
      and not exists (select from audit_leaf l where l.entry_id = e.id)
  `.execute(em.getKysely());
  return rows[0]!;
}
