import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { serviceClasses, type ServiceClass } from '#lib/database/base.ts';
import { createWorkspace } from '#lib/workspace/provision.ts';
import { Workspace } from '#lib/workspace/workspace.entity.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { Refusal } from './refusal.ts';

export function register(program: Command): void {
  const group = program.command('workspace').description('tenants');
  withJson(group.command('create'))
    .description('create a workspace, entitled to everything')
    .requiredOption('--name <name>')
    .action(async (options: OutputOptions & { name: string }) => {
      const name = checkText('--name', options.name);
      const workspace = await asOperator((operator) =>
        operator.everywhere(async (em) => createWorkspace(em, { name, now: systemClock.now() })),
      );
      print({ uid: workspace.uid, name, service_class: workspace.serviceClass }, options);
    });
  withJson(group.command('list'))
    .description('list the workspaces')
    .action(async (options: OutputOptions) => {
      const all = await asOperator((operator) =>
        operator.everywhere((em) => em.find(Workspace, {}, { orderBy: { uid: 'asc' } })),
      );
      printRows(
        all.map(({ uid, name, serviceClass, createdAt }) => ({
          uid,
          name,
          service_class: serviceClass,
          created_at: createdAt.toISOString(),
        })),
        options,
      );
    });
  withJson(group.command('set-class <workspace> <class>'))
    .description(`set the service class: ${serviceClasses.join(', ')}`)
    .action(async (uid: string, serviceClass: ServiceClass, options: OutputOptions) => {
      if (!serviceClasses.includes(serviceClass)) {
        throw new Refusal('unknown_service_class', `the classes are ${serviceClasses.join(', ')}`);
      }
      await asOperator((operator) =>
        operator.everywhere(async (em) => {
          (await findWorkspace(em, uid)).serviceClass = serviceClass;
        }),
      );
      print({ uid, service_class: serviceClass }, options);
    });
}
