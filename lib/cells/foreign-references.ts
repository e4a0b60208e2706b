import { Client, type ClientBase } from 'pg';
import { refuseWhoSeesLess } from '#lib/database/backup/row-security.ts';
import type { ForeignKey } from '#lib/database/backup/tables.ts';
import { foreignKeys, planTables, type PlannedTable } from './plan.ts';
import { CellRefused, WHOLE_ROLE } from './refused.ts';

type Sender = Pick<ClientBase, 'query'>;

/** A row of a workspace that refers to a row which it may not refer to in another cell. */
export type ForeignReference = {
  table: string;
  /** The uid of the row, or its key if it has none. */
  record: string;
  columns: readonly string[];
  to: string;
  /** The uid of the other row, or its key. Null if the database does not have it. */
  target: string | null;
};

/** The largest number of rows that are listed for one foreign key. */
const LISTED_MAX = 100;

/**
 * The rows that describe past use of a dataset and open nothing. They may refer to a dataset of another workspace. All
 * other rows may refer to datasets of the workspace and of the platform only: a deployment has not agreed to the
 * grants of another deployment.
 */
const past: Readonly<Record<string, string>> = {
  data_entitlement: `t.state = 'ended'`,
  data_use: 'true',
  drift_metric: 'true',
  feature_version: `exists (select from public.feature f where f.uid = t.feature_uid and f.status = 'retired')`,
  retraining_request: `t.state <> 'pending_review'`,
};

/** How an operator knows a row that its uid does not name. */
const names: Readonly<Record<string, string>> = {
  feature_version: '(select f.key from public.feature f where f.uid = t.feature_uid)',
};

/** The remedies of an operator for a row that refers to a dataset of another workspace. */
const remedies: Readonly<Record<string, (record: string) => string>> = {
  data_entitlement: (uid) => `assay entitlement end ${uid}`,
  dataset_entitlement: () => 'end the entitlement to this dataset',
  feature_version: (key) => `assay feature retire ${key}`,
  retraining_request: (uid) => `assay lqm review reject ${uid}`,
};

/** Returns the remedy of an operator for a reference that keeps the workspace from moving. */
export function remedyOf({ table, record, to }: Pick<ForeignReference, 'table' | 'record' | 'to'>): string {
  const remedy = to === 'dataset' ? remedies[table]?.(record) : undefined;
  return remedy ?? 'no command changes this record, so the workspace stays in its cell';
}

/**
 * Lists the rows of a workspace that refer to rows of another workspace, or to rows that the database does not have; at
 * most 100 for each foreign key. References to the platform's rows, and past use of a dataset, are not listed.
 */
export async function foreignReferences(
  client: Sender,
  {
    tables,
    keys,
    workspace,
  }: { tables: readonly PlannedTable[]; keys: readonly ForeignKey[]; workspace: string },
): Promise<ForeignReference[]> {
  const found: ForeignReference[] = [];
  for (const { from, columns, to, keys: target } of keys) {
    const [referring, owned] = [from, to].map((each) => tables.find(({ name }) => name === each));
    if (!referring) continue;
    const equal = columns.map((column, at) => `p.${target[at]} = t.${column}`).join(' and ');
    const isIn = (rows: string) =>
      `exists (select from (select * from public.${to} where ${rows}) p where ${equal})`;
    const key = columns.map((column) => `t.${column}::text`).join(` || '/' || `);
    const { rows } = await client.query<{ record: string; target: string | null }>(
      `select ${names[from] ?? nameOf('t', referring)} as record,
         (select coalesce(to_jsonb(p) ->> 'uid', ${key}) from public.${to} p where ${equal}) as target
       from (select * from public.${from} where ${referring.rowsOf(workspace)}) t
       where ${columns.map((column) => `t.${column} is not null`).join(' and ')}
         and not ${isIn(mayBeReferredTo(to, owned, workspace))}
         ${to === 'dataset' && past[from] ? `and not (${past[from]} and ${isIn('true')})` : ''}
       order by 1 limit ${LISTED_MAX}`,
    );
    found.push(...rows.map((row) => ({ table: from, columns, to, ...row })));
  }
  return found;
}

/** Lists the rows of a workspace that another cell would refuse, because they refer to rows of other workspaces. */
export async function referencesIn(url: string, workspace: string): Promise<ForeignReference[]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => {}); // the interrupted query fails with the error
  await client.connect();
  try {
    await refuseWhoSeesLess(client, WHOLE_ROLE);
    const [tables, keys] = [await planTables(client), await foreignKeys(client)];
    return await foreignReferences(client, { tables, keys, workspace: client.escapeLiteral(workspace) });
  } finally {
    await client.end();
  }
}

/** Refuses a workspace with such references. Names each of them. */
export function refuseReferences(found: readonly ForeignReference[]): void {
  const [foreign, missing] = [true, false].map((isThere) =>
    found.filter(({ target }) => (target !== null) === isThere),
  );
  if (foreign!.length > 0)
    throw new CellRefused('references_foreign', listed(foreign!, 'that belong to another workspace'));
  if (missing!.length > 0)
    throw new CellRefused(
      'references_missing',
      listed(missing!, 'that are neither in the file nor in the database'),
    );
}

function listed(found: readonly ForeignReference[], which: string): string {
  const byKey = Map.groupBy(
    found,
    ({ table, columns, to }) => `rows of ${table} refer by ${columns.join(', ')} to rows of ${to} ${which}`,
  );
  return [...byKey]
    .map(
      ([reference, rows]) =>
        `${reference}: ${rows.map((row) => `${row.record}${row.target === null ? '' : ` -> ${row.target} (${remedyOf(row)})`}`).join(', ')}`,
    )
    .join('; ');
}

/** Returns the condition of the rows of a table that rows of the workspace may refer to. */
function mayBeReferredTo(name: string, owned: PlannedTable | undefined, workspace: string): string {
  if (!owned) return 'true';
  return name === 'dataset'
    ? `(${owned.rowsOf(workspace)} or workspace_uid is null)`
    : owned.rowsOf(workspace);
}

/** Returns the SQL of the uid of a row, or else of its first columns. */
function nameOf(row: string, { columns }: PlannedTable): string {
  if (columns.includes('uid')) return `${row}.uid`;
  const first = columns.filter((column) => column !== 'workspace_uid').slice(0, 2);
  return first.map((column) => `coalesce(${row}.${column}::text, '')`).join(` || '/' || `);
}
