import type { Query, Tenant } from '#lib/database/base.ts';
import { findWorkspace } from '#lib/workspace/workspace.query.ts';
import { asOperator, type Operator } from '../operator.ts';

/** Runs one query on the records of a workspace and environment. An unknown workspace is refused. */
export function askIn<A extends readonly unknown[], T>(
  place: Tenant,
  query: Query<A, T>,
  ...args: A
): Promise<T> {
  return asOperator((operator) => queryIn(operator, place, query, ...args));
}

/** As `askIn`, for a command that asks more than once. */
export async function queryIn<A extends readonly unknown[], T>(
  operator: Operator,
  place: Tenant,
  query: Query<A, T>,
  ...args: A
): Promise<T> {
  await operator.query('everywhere', findWorkspace, place.workspace);
  return operator.query(place, query, ...args);
}
