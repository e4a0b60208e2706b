import type { Refusal } from '#lib/core/refusal.ts';
import type { Query, Tenant } from '#lib/database/base.ts';
import { findWorkspace } from '#lib/access/workspace.query.ts';
import { asOperator, type Operator } from './operator.ts';

/** The workspace and environment that a command reads from. The environment defaults to the sandbox. */
export type CommandPlace = { workspace: string; environment?: Tenant['environment'] };

/** Runs one query on the records of a workspace and environment. An unknown workspace is refused. */
export function askIn<A extends readonly unknown[], T>(
  where: CommandPlace,
  query: Query<A, T>,
  ...args: A
): Promise<T> {
  return asOperator((operator) => queryIn(operator, where, query, ...args));
}

/** Works like `askIn`, for a command that runs more than one query. */
export async function queryIn<A extends readonly unknown[], T>(
  operator: Operator,
  { workspace, environment = 'sandbox' }: CommandPlace,
  query: Query<A, T>,
  ...args: A
): Promise<T> {
  await operator.query('everywhere', findWorkspace, workspace);
  return operator.query({ workspace, environment }, query, ...args);
}

/** Runs a query about a record in the tenant that owns it. Throws `unknown` if there is no such record. */
export function askAbout<A extends readonly unknown[], T>(
  uid: string,
  { placeOf, unknown }: { placeOf: Query<[string], Tenant | undefined>; unknown: Refusal },
  query: Query<[string, ...A], T>,
  ...args: A
): Promise<T> {
  return asOperator(async (operator) => {
    const tenant = await operator.query('everywhere', placeOf, uid);
    if (!tenant) throw unknown;
    return operator.query(tenant, query, uid, ...args);
  });
}
