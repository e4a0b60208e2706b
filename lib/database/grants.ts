import type { Client } from 'pg';
import type { RowOwner } from '#lib/core/product.ts';
import { tables } from '#lib/products.ts';
import { roleName, roles, type Role } from './roles.ts';

/** The first server version in which a role can analyze a table that it does not own. */
const MAINTAIN_SINCE = 170_000;

type Privileges = { readonly rows: RowOwner } & { readonly [R in Role]?: string };

/**
 * The privileges of the roles on each table, as the products declare them. No role can use a table that no product
 * declares.
 */
export const grants: Readonly<Record<string, Privileges>> = Object.fromEntries(
  Object.entries(tables as Readonly<Record<string, Privileges>>).map(([table, privileges]) => [
    table,
    withConsole(privileges),
  ]),
);

/** Adds the privileges of the console, which reads what the API reads unless the product declares otherwise. */
function withConsole(privileges: Privileges): Privileges {
  if (privileges.console !== undefined || !/\bselect\b/.test(privileges.api ?? '')) return privileges;
  return { ...privileges, console: 'select' };
}

/**
 * Sets the privileges of a database to exactly `grants`, in one transaction, so that running processes never lack a
 * privilege. The client must be connected as the owner.
 */
export async function applyGrants(client: Client, database: string): Promise<void> {
  const version = await client.query<{ number: number }>(
    `select current_setting('server_version_num')::int as number`,
  );
  const hasMaintain = version.rows[0]!.number >= MAINTAIN_SINCE;
  const statements: string[] = [];
  for (const role of roles) {
    const name = client.escapeIdentifier(roleName(database, role));
    statements.push(
      `revoke all on all tables in schema public from ${name}`,
      `grant usage on schema public to ${name}`,
      `grant execute on all functions in schema public to ${name}`,
    );
    for (const [table, privileges] of Object.entries(grants)) {
      const granted = hasMaintain ? privileges[role] : privileges[role]?.replace(', maintain', '');
      if (granted) statements.push(`grant ${granted} on ${table} to ${name}`);
    }
    statements.push(
      `grant usage on schema queue to ${name}`,
      `grant select, insert, update, delete on all tables in schema queue to ${name}`,
      `grant usage on all sequences in schema queue to ${name}`,
      `grant execute on all functions in schema queue to ${name}`,
    );
  }
  await client.query(statements.join(';\n')); // one query of several statements is one transaction
}
