import type { Command } from 'commander';
import { addCompany } from '#lib/access/add-company.command.ts';
import { listCompanies } from '#lib/access/company.query.ts';
import { unprovenPerson } from '#lib/access/prove-person.command.ts';
import { ask } from './operator.ts';
import { checkText, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { governProven } from './shell/govern.ts';

type Options = OutputOptions & { workspace: string };

export function register(program: Command): void {
  const group = program.command('company').description('companies whose metrics the workspace follows');
  withJson(group.command('create'))
    .description('create one; the answer has its integer id, the company_id')
    .requiredOption('--workspace <uid>')
    .requiredOption('--name <name>')
    .option('--as <person>', 'who does it (default: the owner of the workspace)')
    .action(async ({ workspace, as, ...options }: Options & { name: string; as?: string }) => {
      const name = checkText('--name', options.name);
      const { result } = await governProven(addCompany, { workspace, name }, () => unprovenPerson(as));
      print({ id: result.id, name }, options);
    });
  withJson(group.command('list'))
    .description('list them')
    .requiredOption('--workspace <uid>')
    .action(async ({ workspace, ...options }: Options) => {
      const all = await ask('everywhere', listCompanies, workspace);
      printRows(
        all.map(({ id, name }) => ({ id, name })),
        options,
      );
    });
}
