import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { databaseName, roleName, roleUrl, roles, type Role } from '#lib/database/roles.ts';
import { roleLimitsMs } from '#lib/database/time-limits.ts';
import { accepts } from './accepts.ts';
import { freePort } from './redis.ts';
import { asSuperuser } from './rows.ts';

/** PgBouncer in transaction mode, in front of one database. */
export type Pooler = {
  /** Returns the URL at which the pooler serves this URL of the database. */
  through(url: string): string;
  /** Whether the process is still running. */
  isAlive(): boolean;
  /** Returns how many transactions the pooler has passed on. */
  transactions(): Promise<number>;
  /** Lets the pooler open new connections to PostgreSQL, which have the current settings of the roles. */
  reconnect(): Promise<void>;
  stop(): Promise<void>;
};

/** Where Debian installs PgBouncer. It is not in the path of every user. */
const PROGRAM = '/usr/sbin/pgbouncer';
const STARTS = 50;
const START_MS = 100;

/** Whether PgBouncer is installed. */
export function pgbouncerIsThere(): boolean {
  return spawnSync(PROGRAM, ['--version']).status === 0;
}

/**
 * Starts PgBouncer in front of a database, with at most `connections` connections to PostgreSQL. The
 * database need not exist yet. PgBouncer does not run as root, so root starts it as the user `nobody`.
 */
export async function startPooler(ownerUrl: string, connections: number): Promise<Pooler> {
  const folder = mkdtempSync(path.join(tmpdir(), 'assay-pooler-'));
  chmodSync(folder, 0o755);
  const server = new URL(ownerUrl);
  const port = await freePort();
  const users = [ownerUrl, ...roles.map((role) => roleUrl(ownerUrl, role))].map((url) => new URL(url));
  const lines = users.map(({ username, password }) =>
    [username, password].map((each) => `"${decodeURIComponent(each)}"`).join(' '),
  );
  const name = databaseName(ownerUrl);
  writeFileSync(path.join(folder, 'users.txt'), `${lines.join('\n')}\n`);
  writeFileSync(
    path.join(folder, 'pgbouncer.ini'),
    [
      '[databases]',
      `${name} = host=${server.hostname} port=${server.port} dbname=${name}`,
      '[pgbouncer]',
      `listen_addr = 127.0.0.1`,
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = plain',
      `admin_users = ${decodeURIComponent(server.username)}`,
      `auth_file = ${path.join(folder, 'users.txt')}`,
      'pool_mode = transaction',
      'max_client_conn = 1200',
      `default_pool_size = ${connections}`,
      `max_db_connections = ${connections}`,
      'ignore_startup_parameters = extra_float_digits,statement_timeout,idle_in_transaction_session_timeout',
    ].join('\n'),
  );
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn(PROGRAM, ['-q', ...user, path.join(folder, 'pgbouncer.ini')], { stdio: 'ignore' });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const through = (url: string) => {
    const pooled = new URL(url);
    pooled.hostname = '127.0.0.1';
    pooled.port = String(port);
    return pooled.href;
  };
  const pooler: Pooler = {
    through,
    isAlive,
    async transactions() {
      const rows = await administer(through(ownerUrl), 'show stats_totals');
      return Number(rows.find(({ database }) => database === name)?.['xact_count'] ?? 0);
    },
    reconnect: async () => void (await administer(through(ownerUrl), 'reconnect')),
    async stop() {
      if (isAlive()) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
  for (let turn = 0; turn < STARTS; turn += 1) {
    await delay(START_MS);
    if (await accepts(port)) return pooler;
  }
  await pooler.stop();
  throw new Error('PgBouncer did not start');
}

/** Runs a command in the console of a pooler, which is a database of the name `pgbouncer`. */
async function administer(pooledUrl: string, command: string): Promise<Record<string, unknown>[]> {
  const url = new URL(pooledUrl);
  url.pathname = '/pgbouncer';
  const client = new Client({ connectionString: url.href });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(command)).rows;
  } finally {
    await client.end();
  }
}

/**
 * Sets the limits of statements and transactions on the roles, as operators do behind a pooler. They end with the
 * database.
 */
export async function limitRoles(database: { ownerUrl: string; superuserUrl: string }): Promise<void> {
  await asSuperuser(database, async (client) => {
    for (const [role, limits] of Object.entries(roleLimitsMs)) {
      const place = databaseName(database.ownerUrl);
      const name = client.escapeIdentifier(roleName(place, role as Role));
      for (const [limit, ms] of Object.entries(limits)) {
        await client.query(
          `alter role ${name} in database ${client.escapeIdentifier(place)} set ${limit} = ${ms}`,
        );
      }
    }
  });
}
