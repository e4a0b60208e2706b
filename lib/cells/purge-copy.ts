import { Client } from 'pg';
import type { Clock } from '#lib/core/clock.ts';
import { refuseWhoSeesLess } from '#lib/database/backup/row-security.ts';
import { inPlatform } from '#lib/database/orm.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { governOrRefuse, type Request } from '#lib/governance/govern.ts';
import { besides, newestCheckpoints, type Checkpoint } from './old-copy.ts';
import { lockImport, lockMove, type MoveLock } from './move-lock.ts';
import type { ForeignKey } from '#lib/database/backup/tables.ts';
import { foreignKeys, planTables, type PlannedTable } from './plan.ts';
import { decidePurgeOfCopy, oldCopyOf, recordPurge, storeRequest } from './purge.command.ts';
import type { OldCopy } from './purge-state.ts';
import { CellRefused, WHOLE_ROLE } from './refused.ts';
import type { CellAccess } from './transfer-workspace.ts';

/**
 * The tables whose rows stay, because the old cell recognises the credentials of callers by them and refers callers to the
 * new address. Names and addresses of persons are deleted.
 */
const kept: ReadonlySet<string> = new Set([
  'workspace',
  'person',
  'application',
  'production_access',
  'credential',
  'oauth_client',
  'audit_checkpoint',
]);

export type Purge = {
  workspace: string;
  /** The person who requests or approves the deletion, in the cell that has the workspace now. */
  actor: Request<{ workspace: string; environment?: undefined }>['actor'];
  clock: Clock;
};

export type Purged = { step: 'requested' | 'approved'; rows: number | null };

/**
 * Deletes the old copy of a workspace that has been moved, on the decision of two persons: the first call requests it, and
 * the call of another person carries it out. Keeps what refers callers to the new address, and the last checkpoint of
 * each log, with which the logs must agree if the workspace returns. Refuses while the copy is too young, if the other cell
 * does not have the logs of the copy, and if another workspace uses rows of the copy.
 */
export async function purgeCopy(
  old: CellAccess,
  current: CellAccess,
  { workspace, actor, clock }: Purge,
): Promise<Purged> {
  await findCopy(old, workspace);
  const lock = await lockMove({ source: old.url, target: current.url }, workspace);
  const client = new Client({ connectionString: old.url });
  client.on('error', () => {}); // the interrupted query fails with the error
  try {
    await client.connect();
    await refuseWhoSeesLess(client, WHOLE_ROLE);
    const copy = await findCopy(old, workspace);
    await refuseMissingLogs(current.url, workspace, await newestCheckpoints(client, workspace));
    const { result, at } = await governOrRefuse(
      current.orm,
      decidePurgeOfCopy,
      { workspace, copy },
      { actor, clock },
    );
    if (result.step === 'requested') {
      await inPlatform(old.orm, (em) => storeRequest(em, workspace, { by: result.by, at }));
      return { step: 'requested', rows: null };
    }
    const rows = await deleteCopy(client, lock, { workspace, at });
    await governOrRefuse(current.orm, recordPurge, { workspace, rows }, { actor: unnamed, clock });
    return { step: 'approved', rows };
  } finally {
    await client.end();
    await lock.release();
  }
}

async function findCopy({ orm }: CellAccess, workspace: string): Promise<OldCopy> {
  const copy = await inPlatform(orm, (em) => oldCopyOf(em, workspace));
  return copy ?? refuseNotMoved();
}

function refuseNotMoved(): never {
  throw new CellRefused('not_moved', 'the workspace has not been moved away from this cell');
}

/** Refuses if the cell does not serve the workspace, or its logs do not contain those of the old copy. */
async function refuseMissingLogs(
  url: string,
  workspace: string,
  checkpoints: readonly Checkpoint[],
): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the interrupted query fails with the error
  await client.connect();
  try {
    const there = await client.query(
      `select from workspace w where uid = $1
         and not exists (select from workspace_move m where m.workspace_uid = w.uid)`,
      [workspace],
    );
    let isWhole = there.rowCount === 1;
    for (const { environment, size, root } of checkpoints) {
      const found = await client.query(
        `select from audit_checkpoint
         where workspace_uid = $1 and environment = $2 and tree_size = $3 and root_hash = $4`,
        [workspace, environment, size, root],
      );
      isWhole &&= found.rowCount === 1;
    }
    if (isWhole) return;
  } finally {
    await client.end();
  }
  throw new CellRefused(
    'copy_needed',
    'the cell of the directory does not serve the workspace, or its logs do not contain the logs of this copy',
  );
}

/**
 * Deletes the copy in one transaction, which keeps imports of the workspace out. Returns the number of deleted rows. Refuses
 * if the workspace has returned in the meantime.
 */
async function deleteCopy(
  client: Client,
  lock: MoveLock,
  { workspace, at }: { workspace: string; at: Date },
): Promise<number> {
  const [tables, keys] = [await planTables(client), await foreignKeys(client)];
  const literal = client.escapeLiteral(workspace);
  await client.query('begin');
  try {
    await lockImport(client, workspace);
    const copy = `workspace_uid = ${literal} and state = 'moved' and purged_at is null`;
    const found = await client.query(`select from public.workspace_move where ${copy} for update`);
    if (found.rowCount !== 1) refuseNotMoved();
    await lockRows(client, { tables, keys, workspace: literal });
    await refuseUses(client, { tables, keys, workspace: literal });
    // The triggers that keep records append-only do not run. `refuseUses` has checked the foreign keys.
    await client.query('set local session_replication_role = replica');
    let rows = 0;
    for (const table of besides.filter((each) => each !== 'workspace_move'))
      rows += await remove(client, table, `workspace_uid = ${literal}`);
    const going = tables.filter(({ name }) => !kept.has(name));
    // Rows that belong to a row of another table go first, because they are found through it.
    const isOwn = ({ columns }: PlannedTable) => columns.includes('workspace_uid');
    for (const { name, rowsOf } of [
      ...going.filter((each) => !isOwn(each)).toReversed(),
      ...going.filter(isOwn).toReversed(),
    ])
      rows += await remove(client, name, rowsOf(literal));
    rows += await remove(
      client,
      'audit_checkpoint',
      `workspace_uid = ${literal} and (environment, tree_size) not in (
        select environment, max(tree_size) from public.audit_checkpoint where workspace_uid = ${literal}
        group by environment)`,
    );
    await client.query(
      `update public.person set name = 'deleted', email = uid || '@deleted.invalid', roles = '{}', state = 'departed'
       where workspace_uid = $1`,
      [workspace],
    );
    await client.query(`update public.workspace set name = 'moved' where uid = $1`, [workspace]);
    const marked = await client.query(`update public.workspace_move set purged_at = $1 where ${copy}`, [at]);
    if (marked.rowCount !== 1) refuseNotMoved();
    await lock.assertHeld();
    await client.query('commit');
    return rows;
  } catch (error) {
    await client.query('rollback').catch(() => undefined);
    throw error;
  }
}

async function remove(client: Client, table: string, condition: string): Promise<number> {
  return (await client.query(`delete from public.${table} where ${condition}`)).rowCount ?? 0;
}

type Plan = { tables: readonly PlannedTable[]; keys: readonly ForeignKey[]; workspace: string };

/** How long a purge waits for a transaction that is about to refer to a row of the copy, in milliseconds. */
const USES_MS = 10_000;
const LOCK_NOT_AVAILABLE = '55P03';

/**
 * Locks all rows that would be deleted and that others can refer to. No other transaction refers to them from now on, and
 * those that already do have ended. Refuses after 10 seconds of waiting.
 */
async function lockRows(client: Client, { tables, keys, workspace }: Plan): Promise<void> {
  const referred = new Set(keys.map(({ to }) => to));
  await client.query(`set local lock_timeout = ${USES_MS}`);
  for (const { name, rowsOf } of tables.filter((each) => referred.has(each.name) && !kept.has(each.name)))
    await client
      .query(`select count(*) from (select from public.${name} where ${rowsOf(workspace)} for update) locked`)
      .catch((error: Error & { code?: string }) => {
        if (error.code !== LOCK_NOT_AVAILABLE) throw error;
        throw new CellRefused(
          'copy_in_use',
          `a transaction of another workspace uses rows of ${name}; wait until it has ended`,
          { cause: error },
        );
      });
}

/** Refuses if a row that does not belong to the workspace refers to a row that would be deleted. */
async function refuseUses(client: Client, { tables, keys, workspace }: Plan): Promise<void> {
  const planned = new Map(tables.map((table) => [table.name, table]));
  const uses: string[] = [];
  for (const { from, columns, to, keys: target } of keys) {
    const used = planned.get(to);
    if (!used || kept.has(to)) continue;
    const own =
      planned.get(from)?.rowsOf(workspace) ??
      (besides.includes(from) ? `workspace_uid = ${workspace}` : 'false');
    const equal = columns.map((column, at) => `p.${target[at]} = t.${column}`).join(' and ');
    const { rows } = await client.query<{ count: number }>(
      `select count(*)::float8 as count
       from (select * from public.${from} where (${own}) is not true) t
       where exists (select from (select * from public.${to} where ${used.rowsOf(workspace)}) p where ${equal})`,
    );
    if (rows[0]!.count > 0) uses.push(`${rows[0]!.count} rows of ${from} refer to its rows of ${to}`);
  }
  if (uses.length > 0)
    throw new CellRefused(
      'copy_in_use',
      `others use the copy: ${uses.join('; ')}. End these entitlements and listings first; an ended entitlement of ` +
        'another workspace keeps the dataset',
    );
}
