import { Client } from 'pg';
import type { Orm } from '#lib/database/base.ts';
import { encryptionKey, webhookKey } from '#lib/core/encryption.ts';
import { keyEncryptionKey } from '#lib/core/envelope-encryption.ts';
import { openOrm, inTenant } from '#lib/database/orm.ts';
import { operatorPassword, roleUrl, workerPassword, type Role } from '#lib/database/roles.ts';
import { environments } from '#lib/database/base.ts';
import { placePending } from '#lib/audit/sequencer.write.ts';
import { planTables, type PlannedTable } from '#lib/cells/plan.ts';
import type { CellKeys } from '#lib/cells/secrets.ts';
import { testCluster, type Backend } from './backends.ts';
import { commandEnv, runCommand, type Printed } from './cli.ts';

/** A cell of tests: a database of its own, with an ORM for each role. It has no processes. */
export type Cell = Pick<Backend, 'ownerUrl' | 'superuserUrl' | 'orm'> & {
  /** The keys that encrypt the secrets of the cell, derived from the passwords of its roles. */
  keys: CellKeys;
  /** Runs an operator's command on the cell, with the rights of a superuser where a command needs them. */
  assay(...words: string[]): Promise<Printed>;
  assayWith(variables: Record<string, string>, ...words: string[]): Promise<Printed>;
  /** Runs SQL as the superuser. Returns the rows. */
  sql<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Returns the tables that an export of a workspace contains. */
  plan(): Promise<PlannedTable[]>;
  /** Gives all entries of a workspace's logs their positions. */
  placeEntries(workspace: string): Promise<void>;
  close(): Promise<void>;
};

/** Creates a cell. `number` gives it a range of numbers of its own. */
export async function openCell(name: string, number?: number): Promise<Cell> {
  const { freshDatabase, superuserUrl: superuserOf } = await testCluster();
  const ownerUrl = await freshDatabase(name);
  const superuserUrl = superuserOf(name);
  const orms = new Map<Role, Orm>();
  const orm = (role: Role) => {
    const open = orms.get(role) ?? openOrm(roleUrl(ownerUrl, role), 2);
    orms.set(role, open);
    return open;
  };
  const assayWith = (variables: Record<string, string>, ...words: string[]) =>
    runCommand(
      words,
      commandEnv({ ownerUrl, variables: { DATABASE_DIRECT_URL: superuserUrl, ...variables } }),
    );
  const connected = async <Result>(work: (client: Client) => Promise<Result>): Promise<Result> => {
    const client = new Client({ connectionString: superuserUrl });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  };
  const cell: Cell = {
    ownerUrl,
    superuserUrl,
    orm,
    keys: {
      codes: encryptionKey(undefined, operatorPassword(ownerUrl, {})!),
      webhooks: webhookKey(undefined, workerPassword(ownerUrl, {})!),
      ai: keyEncryptionKey(undefined, workerPassword(ownerUrl, {})!),
    },
    assay: (...words) => assayWith({}, ...words),
    assayWith,
    sql: <Row extends object>(text: string, values: unknown[] = []) =>
      connected(async (client) => (await client.query<Row>(text, values)).rows),
    plan: () => connected(planTables),
    async placeEntries(workspace) {
      for (const environment of environments)
        await inTenant(orm('worker'), { workspace, environment }, placePending);
    },
    async close() {
      await Promise.all([...orms.values()].map((each) => each.close()));
    },
  };
  if (number !== undefined) {
    const migrated = await runCommand(
      ['migrate', '--json'],
      commandEnv({ ownerUrl, variables: { CELL_NUMBER: String(number) } }),
    );
    if (migrated.status !== 0) throw new Error(migrated.stderr);
  }
  return cell;
}
