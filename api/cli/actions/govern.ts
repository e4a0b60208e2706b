import type { Command } from 'commander';
import { governQuickstart } from '#lib/sample/governed/quickstart.ts';
import { provenMaker } from '#lib/access/prove-person.command.ts';
import { proofOf, type GovernedOptions } from '../shell/governed.ts';
import { asOperator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';

export function register(program: Command): void {
  const group = program.command('govern');
  withJson(group.command('quickstart'))
    .description('create a complete governed sample in the sandbox; its keys are shown once')
    .requiredOption('--workspace <uid>', 'the uid of the workspace')
    .option('--as <person>', "the person who creates the sample's people")
    .option(
      '--code <code>',
      'the one-time code of the person in --as; required in the same cases as for assay person create',
    )
    .action(async ({ workspace, ...options }: OutputOptions & GovernedOptions & { workspace: string }) => {
      const sample = await asOperator((operator) =>
        governQuickstart(operator, workspace, provenMaker(proofOf(operator), options)),
      );
      print(sample, options);
    });
}
