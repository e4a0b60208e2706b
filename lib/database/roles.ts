import { createHmac } from 'node:crypto';
import type { Client } from 'pg';
import type { Config } from '#lib/core/config.ts';

/** The login roles in addition to the owner. None of them owns a table or can bypass row-level security. */
export const roles = ['operator', 'api', 'worker', 'console'] as const;
export type Role = (typeof roles)[number];

const passwordVariable = {
  operator: 'OPERATOR_PASSWORD',
  api: 'API_PASSWORD',
  worker: 'WORKER_PASSWORD',
  console: 'CONSOLE_PASSWORD',
} as const;

/**
 * Returns the database name of a role. Roles belong to a whole PostgreSQL server, so the name contains the database:
 * `assay_api` for the database `assay`.
 */
export function roleName(database: string, role: Role): string {
  return `${database}_${role}`;
}

/**
 * Returns the URL by which a process of this role connects. `url` is either already the URL of the role, or the URL of
 * the owner. In the second case, the role's password comes from the environment or, if no password is set, is derived
 * from the owner's password.
 */
export function roleUrl(url: string, role: Role, config: Partial<Config> = {}): string {
  const parsed = new URL(url);
  const name = roleName(databaseName(url), role);
  if (decodeURIComponent(parsed.username) === name) return url;
  parsed.password = rolePassword(parsed, role, config);
  parsed.username = encodeURIComponent(name);
  return parsed.href;
}

/**
 * Returns the password of the workers' role, from the URL of the owner or of the workers' role. Returns undefined for
 * the URL of the operator's role if `WORKER_PASSWORD` is not set.
 */
export function workerPassword(url: string, config: Partial<Config>): string | undefined {
  const isOperators = decodeURIComponent(new URL(url).username) === roleName(databaseName(url), 'operator');
  if (isOperators && config.WORKER_PASSWORD === undefined) return undefined;
  return decodeURIComponent(new URL(roleUrl(url, 'worker', config)).password);
}

/**
 * Returns the password of the operator's role, from the URL of the owner or of the operator. Returns undefined for the
 * URL of another role.
 */
export function operatorPassword(url: string, config: Partial<Config>): string | undefined {
  const user = decodeURIComponent(new URL(url).username);
  const isOther = roles.some((role) => role !== 'operator' && user === roleName(databaseName(url), role));
  return isOther ? undefined : decodeURIComponent(new URL(roleUrl(url, 'operator', config)).password);
}

function rolePassword(owner: URL, role: Role, config: Partial<Config>): string {
  return encodeURIComponent(config[passwordVariable[role]] ?? derivedPassword(owner, role));
}

function derivedPassword(parent: URL, name: string): string {
  return createHmac('sha256', decodeURIComponent(parent.password))
    .update(`assay role ${name}`)
    .digest('base64url');
}

/**
 * Creates the login roles of a database or updates their passwords. The client must be connected as the owner. Throws
 * if a role of that name can bypass row-level security, or can become a role that bypasses row-level security.
 */
export async function ensureRoles(client: Client, ownerUrl: string, config: Partial<Config>): Promise<void> {
  const database = databaseName(ownerUrl);
  for (const role of roles) {
    const name = roleName(database, role);
    const password = decodeURIComponent(new URL(roleUrl(ownerUrl, role, config)).password);
    await refusePowerful(client, name);
    await ensureLogin(client, name, password);
    await client.query(
      `grant connect on database ${client.escapeIdentifier(database)} to ${client.escapeIdentifier(name)}`,
    );
  }
}

/** Returns the URL of a database's owner, derived from the superuser's URL. */
export function ownerUrl(superuserUrl: string, database: string): string {
  const url = new URL(superuserUrl);
  const owner = `${database}_owner`;
  url.password = derivedPassword(url, owner);
  url.username = owner;
  url.pathname = `/${database}`;
  return url.href;
}

/**
 * Creates a database with its own owner, `<database>_owner`, and returns the owner's URL. The client must be connected
 * as the superuser. The owner is not a superuser, but may create the login roles.
 */
export async function ensureDatabase(
  client: Client,
  superuserUrl: string,
  database: string,
): Promise<string> {
  const url = ownerUrl(superuserUrl, database);
  const owner = new URL(url);
  await ensureLogin(client, owner.username, owner.password);
  await client.query(`alter role ${client.escapeIdentifier(owner.username)} createrole`);
  const found = await client.query('select 1 from pg_database where datname = $1', [database]);
  if (!found.rowCount) {
    await client.query(
      `create database ${client.escapeIdentifier(database)} owner ${client.escapeIdentifier(owner.username)}`,
    );
  }
  return url;
}

export function databaseName(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

async function ensureLogin(client: Client, name: string, password: string): Promise<void> {
  const found = await client.query('select 1 from pg_roles where rolname = $1', [name]);
  const verb = found.rowCount ? 'alter' : 'create';
  await client.query(
    `${verb} role ${client.escapeIdentifier(name)} login password ${client.escapeLiteral(password)}`,
  );
}

async function refusePowerful(client: Client, name: string): Promise<void> {
  const { rowCount } = await client.query(
    'select 1 from pg_roles where rolname = $1 and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)',
    [name],
  );
  if (rowCount) throw new Error(`the role ${name} has more rights than it should; drop it and migrate again`);
}
