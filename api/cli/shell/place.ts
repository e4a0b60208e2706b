import { Option, type Command } from 'commander';
import { environments } from '#lib/database/base.ts';
import { withJson } from './options.ts';

/** Adds the options of a command that applies to one environment of a workspace. */
export function withPlace(command: Command): Command {
  return command.requiredOption('--workspace <uid>', 'the uid of the workspace').addOption(placeOption());
}

/** Returns the option for the environment of the workspace. */
export function placeOption(): Option {
  return new Option('--environment <environment>', 'the environment of the workspace')
    .choices(environments)
    .default('sandbox');
}

/** Adds the options of a command that reads from a workspace. */
export function inWorkspaceOf(command: Command, description: string): Command {
  return withJson(command)
    .description(description)
    .requiredOption('--workspace <uid>', 'the uid of the workspace');
}

/** Works like `inWorkspaceOf`, for one environment of the workspace. */
export function inPlaceOf(command: Command, description: string): Command {
  return inWorkspaceOf(command, description).addOption(placeOption());
}
