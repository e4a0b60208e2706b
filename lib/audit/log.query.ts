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
/** How many of the newest checkpoints are proved; of all others the tree itself tells. */
const PROVED = 20;

/** The entries of the em's tenant below a size, in the order of their places, some thousand at a time. */
export async function* readLeaves(em: Em, size: number): AsyncGenerator<Leaf[]> {
  let next = readBatch(em, 0, size);
  for (let from = 0; from < size; from += BATCH) {
    const leaves = await next;
    // The database reads on while these are looked at. Who ends early has no use for what went wrong with it.
    next = readBatch(em, from + BATCH, size);
    next.catch(() => {});
    yield leaves;
  }
}

/** Entry by entry, also where the planner has no statistics yet and would rather read them all. */
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
  /** Entries that are committed and have no place yet. */
  pending: number;
};

/**
 * Recomputes the log of the em's tenant and holds it against all that is stored about it: every leaf, every subtree,
 * every checkpoint, the proofs that are made of them, and that no entry was left out. The first difference throws a
 * `LogBroken`. Entries that are placed meanwhile are not looked at.
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
  if (lost > 0) throw new LogBroken(`${lost} entries have no place and wait for none`);
  return { size, root: check.root(), checkpoints: count, pending };
}

/** Takes leaves, and holds each checkpoint on the way against the tree; returns the subtrees that they complete. */
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

/** The leaves among them have been held against what is stored already. */
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
    if (hash !== node.hash) throw new LogBroken(`${where} has another hash`);
  }
  throw new LogBroken(`the nodes of level ${nodes[0]!.level} changed while they were looked at`);
}

/** The proofs that anyone would be given: of the growth since the checkpoint, and of the last entry under it. */
async function holdAgainstProofs(em: Em, { size, root }: Checkpoint, newest: Checkpoint): Promise<void> {
  const growth = {
    first: size,
    second: newest.size,
    firstRoot: root,
    secondRoot: newest.root,
    proof: await proveConsistency(em, size, newest.size),
  };
  if (!verifyConsistency(growth)) throw new LogBroken(`the log does not continue its checkpoint at ${size}`);
  const last = { level: 0, index: size - 1 };
  const inclusion = {
    leafHash: (await readNodes(em, [last]))(last),
    index: last.index,
    size: newest.size,
    root: newest.root,
    proof: await proveInclusion(em, last.index, newest.size),
  };
  if (!verifyInclusion(inclusion)) throw new LogBroken(`entry ${last.index} cannot be proved`);
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
