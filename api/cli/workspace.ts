import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { serviceClasses, type ServiceClass } from '#lib/database/base.ts';
import { writeDefaults } from '#lib/actions/control/defaults.ts';
import { createWorkspace } from '#lib/workspace/provision.ts';
import { Workspace } from '#lib/workspace/workspace.entity.ts';
import { registerFreeze } from './freeze.ts';
import { asOperator } from './operator.ts';
import { checkText, findWorkspace, scopeList, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type CreateOptions = OutputOptions & { name: string; region: string; timeZone: string };

export function register(program: Command): void {
  const group = program.command('workspace').description('tenants');
  withJson(group.command('create'))
    .description('create a workspace, entitled to everything')
    .requiredOption('--name <name>')
    .option('--region <region>', 'where its data are kept', 'local')
    .option('--time-zone <zone>', 'IANA name; its calendar days and months are those of this zone', 'UTC')
    .action(async (options: CreateOptions) => {
      const name = checkText('--name', options.name);
      const region = checkText('--region', options.region);
      if (!isTimeZone(options.timeZone)) {
        throw new Refusal('unknown_time_zone', 'a time zone is an IANA name such as Europe/Berlin');
      }
      const given = { name, region, timeZone: options.timeZone, now: systemClock.now() };
      const workspace = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const created = createWorkspace(em, given);
          await em.flush();
          await writeDefaults(em, created.uid, given.now);
          const { serviceClass: service_class, entitlements } = created;
          const details = { service_class, entitlements, region, time_zone: options.timeZone };
          await record(em, { op: 'workspace.created', ...about(created.uid), details });
          return created;
        }),
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
  withJson(group.command('set-entitlements <workspace> <scopes>'))
    .description('set which scopes its applications may hold: all, or a list')
    .action(async (uid: string, scopes: string, options: OutputOptions) => {
      const entitlements = scopeList(scopes);
      await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const workspace = await findWorkspace(em, uid);
          const details = { before: workspace.entitlements, after: entitlements };
          workspace.entitlements = entitlements;
          await record(em, { op: 'workspace.entitlements_set', ...about(uid), details });
        }),
      );
      print({ uid, entitlements }, options);
    });
  registerFreeze(group);
  withJson(group.command('set-class <workspace> <class>'))
    .description(`set the service class: ${serviceClasses.join(', ')}`)
    .action(async (uid: string, serviceClass: ServiceClass, options: OutputOptions) => {
      if (!serviceClasses.includes(serviceClass)) {
        throw new Refusal('unknown_service_class', `the classes are ${serviceClasses.join(', ')}`);
      }
      await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const workspace = await findWorkspace(em, uid);
          const details = { before: workspace.serviceClass, after: serviceClass };
          workspace.serviceClass = serviceClass;
          await record(em, { op: 'workspace.class_set', ...about(uid), details });
        }),
      );
      print({ uid, service_class: serviceClass }, options);
    });
}

function about(workspace: string) {
  return { workspace, subject: { type: 'workspace', uid: workspace } };
}

function isTimeZone(name: string): boolean {
  return name === 'UTC' || Intl.supportedValuesOf('timeZone').includes(name);
}
