import { Command } from 'commander';
import { version } from '#lib/core/version.ts';

/** The exit status of a command with wrong arguments. */
const USAGE = 2;

/** Returns the program without its commands. */
export function createProgram(): Command {
  return new Command('assay')
    .description('Assay, for operators. Add --help to any command.')
    .version(version)
    .enablePositionalOptions() // so that --version of a model is not read as the version of Assay
    .showHelpAfterError()
    .exitOverride((error) => {
      process.exit(error.exitCode === 0 ? 0 : USAGE);
    });
}
