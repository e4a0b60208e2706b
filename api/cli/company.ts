import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { Company } from '#lib/workspace/company.entity.ts';
import { asOperator } from './operator.ts';
import { actingPerson, checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type CreateOptions = OutputOptions & { workspace: string; name: string; as?: string };

export function register(program: Command): void {
  const group = program.command('company').description('companies whose metrics the workspace follows');
  withJson(group.command('create'))
    .description('create one; the answer has its integer id, the company_id')
    .requiredOption('--workspace <uid>')
    .requiredOption('--name <name>')
    .option('--as <person>', 'who does it (default: the owner of the workspace)')
    .action(async (options: CreateOptions) => {
      const name = checkText('--name', options.name);
      const made = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const { uid: workspace } = await findWorkspace(em, options.workspace);
          if (await em.findOne(Company, { workspaceUid: workspace, name }, { filters: false })) {
            throw new Refusal('company_exists', `the workspace has a company named ${name}`);
          }
          const { uid: by } = await actingPerson(em, workspace, options.as);
          const created = em.create(Company, { workspaceUid: workspace, name, createdAt: systemClock.now() });
          await em.flush();
          const subject = { type: 'company', uid: String(created.id) };
          await record(em, { op: 'company.created', workspace, by, subject });
          return created;
        }),
      );
      print({ id: made.id, name }, options);
    });
  withJson(group.command('list'))
    .description('list them')
    .requiredOption('--workspace <uid>')
    .action(async (options: OutputOptions & { workspace: string }) => {
      const all = await asOperator((operator) =>
        operator.inWorkspace(options.workspace, async (em) => {
          await findWorkspace(em, options.workspace);
          return em.find(Company, {}, { orderBy: { id: 'asc' } });
        }),
      );
      printRows(
        all.map(({ id, name }) => ({ id, name })),
        options,
      );
    });
}
