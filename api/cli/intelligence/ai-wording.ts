import type { Command } from 'commander';
import { findConnection } from '#lib/ai/connection.write.ts';
import type { Tenant } from '#lib/database/base.ts';
import { chooseWording } from '#lib/intelligence/choose-wording.command.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { withPlace } from '../shell/place.ts';
import { governAs } from '../shell/govern.ts';

type WordingOptions = OutputOptions & GovernedOptions & Tenant & { connection?: string; model?: string };

/**
 * Registers the commands that choose which AI connection, if any, writes the wording of a workspace's
 * summary.
 */
export function registerWording(group: Command): void {
  withPlace(withPerson(withJson(group.command('wording'))))
    .description(
      'choose the connection whose AI model writes the text of the workspace summary; without --connection, no text is written',
    )
    .option('--connection <uid>', 'the uid of the AI connection')
    .option('--model <model>', 'the model to call (default: the first model of the connection)')
    .action(async (options: WordingOptions) => {
      const { workspace, environment, connection, model } = options;
      const given = { workspace, environment, connection, model, findConnection };
      const { choice } = await governAs(chooseWording, given, options);
      print(
        { workspace, environment, connection: choice?.connection ?? null, model: choice?.model ?? null },
        options,
      );
    });
}
