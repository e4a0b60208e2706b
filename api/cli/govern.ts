import type { Command } from 'commander';
import { governQuickstart } from './quickstart/quickstart.ts';
import { asOperator } from './operator.ts';
import { findWorkspace, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';

export function register(program: Command): void {
  const group = program.command('govern').description('governed financial actions');
  withJson(group.command('quickstart'))
    .description('set up a whole governed sample in the sandbox; the keys are shown once')
    .requiredOption('--workspace <uid>')
    .action(async (options: OutputOptions & { workspace: string }) => {
      const sample = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          await findWorkspace(em, options.workspace);
          return governQuickstart(em, options.workspace);
        }),
      );
      print(sample, options);
    });
}
