import type { Command } from 'commander';
import { seedDemo } from '#lib/sample/demo.ts';
import { withRunner } from '../../process/run-here.ts';
import { asOperator } from '../shell/operator.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';

export function register(program: Command): void {
  const group = program.command('seed');
  withJson(group.command('demo'))
    .description('create the sample workspace with real market data; running it again changes nothing')
    .action(async (options: OutputOptions) => {
      const seeded = await asOperator((operator) =>
        seedDemo(operator, operator.config.ASSAY_HOME, (work) => withRunner(operator.ownerUrl, work)),
      );
      print(seeded, options);
    });
}
