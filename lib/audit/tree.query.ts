import { sql } from 'kysely';
import { tenantOf, type Em } from '#lib/database/base.ts';
import { completeNodes, hashOfRange, type HashedNode, type Lookup, type Node, type Range } from './merkle.ts';
import { consistencyRanges, inclusionRanges } from './merkle-proof.ts';

/** The state of a log at one moment. It covers exactly the entries that were committed before this moment. */
export type Checkpoint = { size: number; root: string; at: Date };

type Row = { size: number; root: string; at: number };

/**
 * Returns the newest checkpoint of the tenant of `em`; undefined if no entry has a position in the log tree
 * yet.
 */
export async function newestCheckpoint(em: Em): Promise<Checkpoint | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Row>`
    select ${columns} from audit_checkpoint where workspace_uid = ${workspace} and environment = ${environment}
    order by tree_size desc limit 1
  `.execute(em.getKysely());
  return rows[0] && checkpointOf(rows[0]);
}

/**
 * Lists the checkpoints of the tenant of `em` with a size above `above` and at most `upTo`, in increasing
 * order.
 */
export async function readCheckpoints(em: Em, above: number, upTo: number): Promise<Checkpoint[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Row>`
    select ${columns} from audit_checkpoint where workspace_uid = ${workspace} and environment = ${environment}
      and tree_size > ${above} and tree_size <= ${upTo}
    order by tree_size
  `.execute(em.getKysely());
  return rows.map(checkpointOf);
}

const columns = sql.raw(
  `tree_size::float8 as size, root_hash as root, (extract(epoch from at) * 1000)::float8 as at`,
);

function checkpointOf({ size, root, at }: Row): Checkpoint {
  return { size, root, at: new Date(at) };
}

/**
 * Reads the stored hashes of complete subtrees of the tenant of `em`. Returns a function that looks up a
 * hash, and throws if the hash is missing.
 */
export async function readNodes(em: Em, nodes: readonly Node[]): Promise<Lookup> {
  const find = await findNodes(em, nodes);
  return (node) => {
    const hash = find(node);
    if (hash === undefined) throw new Error(`node ${node.index} of level ${node.level} is not stored`);
    return hash;
  };
}

/**
 * Reads the stored hashes of complete subtrees of the tenant of `em`. Returns a function that looks up a
 * hash, and returns undefined if the hash is missing.
 */
export async function findNodes(em: Em, nodes: readonly Node[]): Promise<(node: Node) => string | undefined> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<HashedNode>`
    select wanted.level, wanted.node_index::float8 as index, stored.hash
    from unnest(${nodes.map(({ level }) => level)}::smallint[], ${nodes.map(({ index }) => index)}::bigint[])
      wanted (level, node_index)
    -- One look-up each. Without statistics, the planner would otherwise scan the whole table.
    cross join lateral (
      select n.hash from audit_node n where n.workspace_uid = ${workspace} and n.environment = ${environment}
        and n.level = wanted.level and n.node_index = wanted.node_index limit 1
    ) stored
  `.execute(em.getKysely());
  const found = new Map(rows.map((row) => [`${row.level} ${row.index}`, row.hash]));
  return ({ level, index }) => found.get(`${level} ${index}`);
}

/**
 * Returns the stored hashes of the nodes in each range of a level, concatenated from left to right; undefined
 * if a hash is missing. For thousands of nodes, one read of a range costs much less than a read of each node.
 */
export async function hashesOfStretches(
  em: Em,
  stretches: readonly (Range & { level: number })[],
): Promise<(string | undefined)[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<{ hashes: string | null }>`
    select case when stored.count = wanted.until - wanted.since then stored.hashes end as hashes
    from unnest(${stretches.map(({ level }) => level)}::smallint[], ${stretches.map(({ start }) => start)}::bigint[],
      ${stretches.map(({ end }) => end)}::bigint[]) with ordinality wanted (level, since, until, place)
    cross join lateral (
      select count(*), string_agg(n.hash, '' order by n.node_index) as hashes from audit_node n
      where n.workspace_uid = ${workspace} and n.environment = ${environment}
        and n.level = wanted.level and n.node_index >= wanted.since and n.node_index < wanted.until
    ) stored
    order by wanted.place
  `.execute(em.getKysely());
  return rows.map(({ hashes }) => hashes ?? undefined);
}

/** Returns the proof that a leaf is in the tree of a size, from O(log n) stored hashes. */
export function proveInclusion(em: Em, index: number, size: number): Promise<string[]> {
  return hashesOf(em, inclusionRanges(index, size));
}

/** Returns the proof that the second tree begins with all leaves of the first, from O(log n) stored hashes. */
export function proveConsistency(em: Em, first: number, second: number): Promise<string[]> {
  return hashesOf(em, consistencyRanges(first, second));
}

async function hashesOf(em: Em, ranges: readonly Range[]): Promise<string[]> {
  const lookup = await readNodes(em, ranges.flatMap(completeNodes));
  return ranges.map((range) => hashOfRange(range, lookup));
}
