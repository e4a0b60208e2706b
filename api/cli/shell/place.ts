import { Option, type Command } from 'commander';
import { environments } from '#lib/database/base.ts';
import { withJson } from './options.ts';

/** A command that applies to one environment of a workspace. */
export function withPlace(command: Command): Command {
  return command.requiredOption('--workspace <uid>').addOption(placeOption());
}

/** In which environment of the workspace. */
export function placeOption(): Option {
  return new Option('--environment <environment>', 'of the workspace')
    .choices(environments)
    .default('sandbox');
}

/** A command that reads in a workspace. */
export function inWorkspaceOf(command: Command, description: string): Command {
  return withJson(command).description(description).requiredOption('--workspace <uid>');
}

/** As `inWorkspaceOf`, in one of its environments. */
export function inPlaceOf(command: Command, description: string): Command {
  return inWorkspaceOf(command, description).addOption(placeOption());
}
