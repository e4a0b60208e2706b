import { sql } from 'kysely';
import { tenantOf, type Em, type Tenant } from '#lib/database/base.ts';
import { completeNodes, Frontier, type HashedNode } from './merkle.ts';
import { newestCheckpoint, readNodes } from './tree.query.ts';

/** The maximum number of entries that one statement gives a position. The limit bounds the memory use. */
const BATCH = 10_000;

/**
 * Lists the tenants with entries that have no position in the log tree yet. For workers, which see all
 * workspaces.
 */
export async function tenantsWithPending(em: Em): Promise<Tenant[]> {
  const { rows } = await sql<Tenant>`
    select distinct workspace_uid as workspace, environment from audit_pending order by 1, 2
  `.execute(em.getKysely());
  return rows;
}

/**
 * Gives the next indexes in the log tree to all committed entries of the tenant of `em` that have no position, in the
 * order of their ids. Then writes a checkpoint over all entries. Runs in the caller's transaction, so that the
 * positions and the checkpoint are committed together or not at all. An entry that is committed later gets a later
 * index, even if its id is smaller. Returns the number of entries that got a position; 0 if another process is doing
 * the same for this log.
 */
export async function placePending(em: Em): Promise<number> {
  if (!(await lockLog(em))) return 0;
  const before = (await newestCheckpoint(em))?.size ?? 0;
  const frontier = new Frontier(before, await readNodes(em, completeNodes({ start: 0, end: before })));
  for (let taken = BATCH; taken === BATCH;) {
    const entries = await takePending(em);
    taken = entries.length;
    if (taken > 0) await place(em, frontier, entries);
  }
  const placed = frontier.size - before;
  if (placed > 0) await writeCheckpoint(em, frontier);
  return placed;
}

type Taken = { id: string; leafHash: string };

/**
 * Waits until no other process gives entries of the tenant of `em` their positions, and excludes such
 * processes until the transaction ends.
 */
export async function waitForPlacing(em: Em): Promise<void> {
  await sql`select pg_advisory_xact_lock(${logLock(em)})`.execute(em.getKysely());
}

/**
 * Tries to lock the log of the tenant until the transaction ends. Returns false if another process holds the
 * lock. The entries then get their positions in a later call.
 */
async function lockLog(em: Em): Promise<boolean> {
  const { rows } = await sql<{ isOurs: boolean }>`
    select pg_try_advisory_xact_lock(${logLock(em)}) as "isOurs"
  `.execute(em.getKysely());
  return rows[0]!.isOurs;
}

function logLock(em: Em) {
  const { workspace, environment } = tenantOf(em);
  return sql`hashtextextended(${`audit ${workspace} ${environment}`}, 0)`;
}

/**
 * Deletes pending entries and returns them, ordered by id. Rows are found by `ctid` and by key, because the
 * table fills and empties all the time and the planner's statistics about it are therefore wrong.
 */
async function takePending(em: Em): Promise<Taken[]> {
  const { workspace, environment } = tenantOf(em);
  const { rows } = await sql<Taken>`
    with taken as (
      delete from audit_pending where ctid = any(array(
        select ctid from audit_pending where workspace_uid = ${workspace} and environment = ${environment}
        order by entry_id limit ${BATCH}
      )) returning entry_id
    )
    select entry_id as id, entry.leaf_hash as "leafHash"
    from taken cross join lateral (select e.leaf_hash from audit_entry e where e.id = entry_id limit 1) entry
    order by entry_id
  `.execute(em.getKysely());
  return rows;
}

async function place(em: Em, frontier: Frontier, entries: readonly Taken[]): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  const first = frontier.size;
  const nodes: HashedNode[] = entries.flatMap(({ leafHash }) => frontier.append(leafHash));
  await sql`
    with leaves as (
      insert into audit_leaf (workspace_uid, environment, leaf_index, entry_id)
      select ${workspace}, ${environment}, ${first}::bigint + place - 1, entry_id
      from unnest(${entries.map(({ id }) => id)}::bigint[]) with ordinality as taken (entry_id, place)
    )
    insert into audit_node (workspace_uid, environment, level, node_index, hash)
    select ${workspace}, ${environment}, * from unnest(
      ${nodes.map(({ level }) => level)}::smallint[], ${nodes.map(({ index }) => index)}::bigint[],
      ${nodes.map(({ hash }) => hash)}::text[])
  `.execute(em.getKysely());
}

async function writeCheckpoint(em: Em, frontier: Frontier): Promise<void> {
  const { workspace, environment } = tenantOf(em);
  await sql`
    insert into audit_checkpoint (workspace_uid, environment, tree_size, root_hash, at)
    values (${workspace}, ${environment}, ${frontier.size}, ${frontier.root()}, clock_timestamp())
  `.execute(em.getKysely());
}
