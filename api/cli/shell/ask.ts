import { Refusal } from '#lib/core/refusal.ts';
import type { Query, Tenant } from '#lib/database/base.ts';
import { workspacePlace } from '#lib/governance/workspace-place.query.ts';
import { asOperator, type Operator } from '../operator.ts';
import { placeOption } from '../place-option.ts';
import { withJson } from '../options.ts';
import type { Command } from 'commander';

/** Where a command reads; the sandbox where it names no environment. */
type Where = { workspace: string; environment?: Tenant['environment'] };

/** A query in a workspace that must exist. */
export function askIn<A extends readonly unknown[], T>(
  place: Where,
  query: Query<A, T>,
  ...args: A
): Promise<T> {
  return asOperator((operator) => queryIn(operator, place, query, ...args));
}

/** As `askIn`, for an adapter that goes on. */
export async function queryIn<A extends readonly unknown[], T>(
  operator: Operator,
  { workspace, environment = 'sandbox' }: Where,
  query: Query<A, T>,
  ...args: A
): Promise<T> {
  if (!(await operator.query('everywhere', workspacePlace, workspace)))
    throw new Refusal('workspace_unknown', `there is no workspace ${workspace}`);
  return operator.query({ workspace, environment }, query, ...args);
}

/** A command that reads in a workspace. */
export function inWorkspaceOf(command: Command, description: string): Command {
  return withJson(command).description(description).requiredOption('--workspace <uid>');
}

/** As `inWorkspaceOf`, in one of its environments. */
export function inPlaceOf(command: Command, description: string): Command {
  return inWorkspaceOf(command, description).addOption(placeOption());
}
