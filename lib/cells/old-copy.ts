import type { ClientBase } from 'pg';
import type { PlannedTable } from './plan.ts';
import { CellRefused } from './refused.ts';

type Sender = Pick<ClientBase, 'query'>;

/** The newest checkpoint of a log of the old copy, by environment. */
export type Checkpoint = { environment: string; size: string; root: string };

/**
 * The tables outside an export that have rows of a workspace. Those of a returning workspace are deleted with its old
 * copy.
 */
export const besides: readonly string[] = ['run_part', 'console_link', 'console_session', 'workspace_move'];

/**
 * Refuses a workspace that the database already has. Returns whether the database has the old copy of a workspace that was
 * moved away, which the workspace replaces when it returns. Locks the record of the move until the transaction ends.
 */
export async function refuseExisting(client: Sender, uid: string): Promise<boolean> {
  await client.query('select from workspace_move where workspace_uid = $1 for update', [uid]);
  const { rows } = await client.query<{ state: string | null }>(
    'select m.state from workspace w left join workspace_move m on m.workspace_uid = w.uid where w.uid = $1',
    [uid],
  );
  if (rows.length === 0) return false;
  if (rows[0]!.state === 'moved') return true;
  throw new CellRefused('workspace_exists', `The workspace ${uid} is already in this database.`);
}

/**
 * Deletes the old copy of a workspace that returns, in a transaction whose triggers do not run. Returns the newest
 * checkpoints of its logs.
 */
export async function deleteOldCopy(
  client: Sender,
  { tables, uid }: { tables: readonly PlannedTable[]; uid: string },
): Promise<Checkpoint[]> {
  const workspace = `'${uid}'`;
  const checkpoints = await newestCheckpoints(client, uid);
  for (const table of besides)
    await client.query(`delete from public.${table} where workspace_uid = ${workspace}`);
  // Rows that belong to a row of another table go first, because they are found through it.
  const [owned, own] = [false, true].map((isOwn) =>
    tables.filter(
      ({ name, columns }) => (name === 'workspace' || columns.includes('workspace_uid')) === isOwn,
    ),
  );
  for (const { name, rowsOf } of [...owned!.toReversed(), ...own!.toReversed()])
    await client.query(`delete from public.${name} where ${rowsOf(workspace)}`);
  return checkpoints;
}

/** Returns the newest checkpoint of each log of a workspace. */
export async function newestCheckpoints(client: Sender, workspace: string): Promise<Checkpoint[]> {
  const { rows } = await client.query<Checkpoint>(
    `select distinct on (environment) environment, tree_size::text as size, root_hash as root
     from audit_checkpoint where workspace_uid = $1 order by environment, tree_size desc`,
    [workspace],
  );
  return rows;
}

/** Refuses a workspace whose logs do not continue the logs that this database had. */
export async function refuseOtherLogs(
  client: Sender,
  checkpoints: readonly Checkpoint[],
  workspace: string,
): Promise<void> {
  for (const { environment, size, root } of checkpoints) {
    const { rows } = await client.query(
      `select from audit_checkpoint
       where workspace_uid = ${workspace} and environment = $1 and tree_size = $2 and root_hash = $3`,
      [environment, size, root],
    );
    if (rows.length === 0) {
      throw new CellRefused(
        'log_differs',
        `the log of ${environment} does not continue the log of ${size} entries that this database has`,
      );
    }
  }
}
