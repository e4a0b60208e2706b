import type { Command } from 'commander';
import { addCompany } from '#lib/access/add-company.command.ts';
import { listCompanies } from '#lib/access/company.query.ts';
import { unprovenPerson } from '#lib/access/prove-person.command.ts';
import { ask } from '../shell/operator.ts';
import { checkText } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { governProven } from '../shell/govern.ts';
import { inWorkspaceOf } from '../shell/place.ts';

type Options = OutputOptions & { workspace: string };

export function register(program: Command): void {
  const group = program.command('company');
  inWorkspaceOf(group.command('create'), 'create a company; prints its integer id, the company_id')
    .requiredOption('--name <name>', 'the name of the company, unique in the workspace')
    .option('--as <person>', 'the person who makes the change (default: the owner of the workspace)')
    .action(async ({ workspace, as, ...options }: Options & { name: string; as?: string }) => {
      const name = checkText('--name', options.name);
      const { result } = await governProven(addCompany, { workspace, name }, () => unprovenPerson(as));
      print({ id: result.id, name }, options);
    });
  inWorkspaceOf(group.command('list'), 'list the companies').action(
    async ({ workspace, ...options }: Options) => {
      const all = await ask('everywhere', listCompanies, workspace);
      printRows(all, options, ({ id, name }) => ({ id, name }));
    },
  );
}
