import { Option, type Command } from 'commander';
import { environments } from '#lib/database/base.ts';

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
