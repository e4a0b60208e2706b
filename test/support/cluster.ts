import { rm } from 'node:fs/promises';
import path from 'node:path';
import { Client } from 'pg';
import { findServer } from '#lib/database/embedded/cluster.ts';
import { acquireEmbedded } from '#lib/database/embedded.ts';
import { migrate } from '#lib/database/migrate.ts';
import { databaseName, ensureDatabase, roleName, roles } from '#lib/database/roles.ts';

/** An embedded PostgreSQL in its own home, with as many databases as requested. */
export type Cluster = {
  home: string;
  /** Creates a database with its roles and the newest schema; returns the owner's URL. */
  freshDatabase(name: string): Promise<string>;
  /** Creates an empty database; returns the owner's URL. */
  emptyDatabase(name: string): Promise<string>;
  superuserUrl(database: string): string;
  /** The process of the database server. */
  pid(): Promise<number>;
  release(): Promise<void>;
};

/** The home of the cluster that all tests share. A test run that a test starts has another home. */
export const TEST_HOME = path.resolve(process.env['TEST_HOME'] ?? '.assay-test');

/** The advisory lock that the test run holds while it uses the cluster. */
const RUN_LOCK = 1;

/** The advisory lock that a process holds while it copies the template database. */
const COPY_LOCK = 2;

const TEMPLATE = 'assay_template';

/**
 * Settings without durability. Data survives the kill of a process, because the server's writes are in the
 * system's cache. Only a power failure of the machine loses data.
 */
const QUICK = ['fsync = off', 'synchronous_commit = off', 'full_page_writes = off'];

/**
 * Opens the cluster in a home folder. With a template, a fresh database is a copy of the template, in which the
 * migrations have already run.
 */
export async function openCluster(home: string, { hasTemplate = false } = {}): Promise<Cluster> {
  const { url, release } = await acquireEmbedded(home);
  const superuserUrl = (database: string) => {
    const superuser = new URL(url);
    superuser.pathname = `/${database}`;
    return superuser.href;
  };
  const asSuperuser = <T>(database: string, work: (client: Client) => Promise<T>) =>
    withClient(superuserUrl(database), work);
  const drop = (client: Client, name: string) =>
    client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
  const emptyDatabase = (name: string) =>
    asSuperuser('postgres', async (client) => {
      await drop(client, name);
      return ensureDatabase(client, url, name);
    });
  // Ownership and privileges are stored in a catalog that all databases share, and two concurrent copies could not both
  // write it. A lock therefore lets one copy run at a time.
  const copyTemplate = (name: string) =>
    asSuperuser('postgres', async (client) => {
      await client.query('select pg_advisory_lock($1)', [COPY_LOCK]);
      const named = (word: string) => client.escapeIdentifier(word);
      await drop(client, name);
      await client.query(`create database ${named(name)} template ${named(TEMPLATE)} strategy file_copy`);
      const ownerUrl = await ensureDatabase(client, url, name);
      await client.query(`alter database ${named(name)} owner to ${named(ownerOf(ownerUrl))}`);
      await asSuperuser(name, async (copy) => {
        await copy.query(`reassign owned by ${named(`${TEMPLATE}_owner`)} to ${named(ownerOf(ownerUrl))}`);
        await copy.query(`drop owned by ${roles.map((role) => named(roleName(TEMPLATE, role))).join(', ')}`);
      });
      return ownerUrl;
    });
  return {
    home,
    emptyDatabase,
    async freshDatabase(name) {
      const ownerUrl = await (hasTemplate ? copyTemplate(name) : emptyDatabase(name));
      // This call also creates the roles of a copy of the template, with their privileges.
      await migrate(ownerUrl);
      return ownerUrl;
    },
    superuserUrl,
    pid: async () => (await findServer(home))!.pid,
    release,
  };
}

/**
 * Starts the cluster that all tests share, with only the template in it. Throws if another test run uses it,
 * because each test run would drop the databases of the other.
 */
export async function openTestCluster(): Promise<Cluster> {
  const cluster = await openCluster(TEST_HOME, { hasTemplate: true });
  const guard = new Client({ connectionString: cluster.superuserUrl('postgres') });
  await guard.connect();
  const release = async () => {
    await guard.end();
    await cluster.release();
  };
  try {
    const { rows } = await guard.query('select pg_try_advisory_lock($1) as is_alone', [RUN_LOCK]);
    if (!rows[0].is_alone) throw new Error(`another run of tests uses ${TEST_HOME}`);
    await prepareTemplate(cluster);
  } catch (error) {
    await release();
    throw error;
  }
  return { ...cluster, release };
}

/** Opens a cluster without durability that no other test uses. */
export async function openPrivateCluster(home: string): Promise<Cluster> {
  const cluster = await openCluster(home);
  await withClient(cluster.superuserUrl('postgres'), setQuick);
  return cluster;
}

async function setQuick(client: Client): Promise<void> {
  for (const setting of QUICK) await client.query(`alter system set ${setting}`);
  await client.query('select pg_reload_conf()');
}

async function prepareTemplate(cluster: Cluster): Promise<void> {
  await rm(path.join(cluster.home, 'logs'), { recursive: true, force: true }); // logs of the previous test run
  await withClient(cluster.superuserUrl('postgres'), async (client) => {
    await setQuick(client);
    const left = await client.query("select datname from pg_database where datname like 'assay\\_t%'");
    for (const { datname } of left.rows) {
      await client.query(`drop database ${client.escapeIdentifier(datname)} with (force)`);
    }
  });
  const ownerUrl = await cluster.emptyDatabase(TEMPLATE);
  await migrate(ownerUrl);
  await withClient(cluster.superuserUrl('postgres'), async (client) => {
    // In each copy, `copyTemplate` runs `reassign owned` for the owner of the template's content. The statement
    // also reassigns databases, so the template database must not belong to the same owner.
    await client.query(`alter database ${client.escapeIdentifier(databaseName(ownerUrl))} owner to postgres`);
  });
}

function ownerOf(ownerUrl: string): string {
  return decodeURIComponent(new URL(ownerUrl).username);
}

async function withClient<T>(url: string, work: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
