import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import type { Query, Tenant } from '#lib/database/base.ts';
import { knownPlace } from '#lib/workspace/known-place.query.ts';
import { asOperator } from '../operator.ts';
import { withJson } from '../options.ts';
import { printRows, type OutputOptions } from '../output.ts';
import { placeOption } from '../place-option.ts';

/** A command about one environment of a workspace. */
export function withTenant(command: Command): Command {
  return withJson(command).requiredOption('--workspace <uid>').addOption(placeOption());
}

/** Runs a query on the records of a tenant. Refuses a workspace that does not exist. */
export function askTenant<A extends readonly unknown[], T>(
  { workspace, environment }: Tenant,
  query: Query<A, T>,
  ...args: A
): Promise<T> {
  return asOperator(async (operator) => {
    const tenant = await operator.query('everywhere', knownPlace, { workspace, environment });
    if (!tenant) throw new Refusal('workspace_unknown', `The workspace ${workspace} does not exist.`);
    return operator.query(tenant, query, ...args);
  });
}

/** Runs a query about a record in the tenant that it belongs to. Throws `unknown` if there is no such record. */
export function askAbout<T>(
  uid: string,
  { placeOf, unknown }: { placeOf: Query<[string], Tenant | undefined>; unknown: Refusal },
  query: Query<[string], T>,
): Promise<T> {
  return asOperator(async (operator) => {
    const tenant = await operator.query('everywhere', placeOf, uid);
    if (!tenant) throw unknown;
    return operator.query(tenant, query, uid);
  });
}

/** A command that lists records of a tenant, a row each. */
export function registerList<Options, Found>(
  command: Command,
  query: Query<[Options], readonly Found[]>,
  present: (found: Found) => Record<string, unknown>,
): void {
  withTenant(command).action(async (options: OutputOptions & Tenant & Options) => {
    const found = await askTenant(options, query, options);
    printRows(found.map(present), options);
  });
}
