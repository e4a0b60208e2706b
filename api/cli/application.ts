import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { environments, type Environment, type Em } from '#lib/database/base.ts';
import { Application } from '#lib/workspace/application.entity.ts';
import { changeApplication } from '#lib/workspace/application.repository.ts';
import { applicationEvents, type ApplicationEvent } from '#lib/workspace/application.ts';
import { createApplication } from '#lib/workspace/provision.ts';
import { findApplication, unknownApplication } from './find-application.ts';
import { asOperator } from './operator.ts';
import { registerProductionAccess } from './production-access.ts';
import { checkText, activePerson, findWorkspace, scopeList, withJson } from './options.ts';
import { print, printRows, type OutputOptions } from './output.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';

type CreateOptions = OutputOptions & {
  workspace: string;
  name: string;
  environment: Environment;
  scopes: string;
  owner: string;
  accountable?: string;
};

export function register(program: Command): void {
  const group = program.command('app').description('applications: what credentials identify');
  withJson(group.command('create'))
    .description('create an application in one environment of a workspace')
    .requiredOption('--workspace <uid>')
    .requiredOption('--name <name>')
    .requiredOption('--environment <environment>', environments.join(' or '))
    .requiredOption('--scopes <scopes>', 'all, or a list such as investment:run,investment:read')
    .requiredOption('--owner <person>', 'who runs it')
    .option('--accountable <person>', 'who answers for what it does (default: the owner)')
    .action(async (options: CreateOptions) => {
      const name = checkText('--name', options.name);
      if (!environments.includes(options.environment)) {
        throw new Refusal('unknown_environment', `the environments are ${environments.join(' and ')}`);
      }
      const scopes = scopeList(options.scopes);
      const application = await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const { uid: workspace } = await findWorkspace(em, options.workspace);
          const { uid: owner } = await activePerson(em, workspace, options.owner);
          const same = { workspaceUid: workspace, environment: options.environment, name };
          if (await em.findOne(Application, same, { filters: false })) {
            throw new Refusal(
              'application_exists',
              `${options.environment} has an application named ${name}`,
            );
          }
          const { environment } = options;
          const created = createApplication(em, {
            workspace,
            environment,
            name,
            scopes,
            owner,
            accountable: options.accountable && (await activePerson(em, workspace, options.accountable)).uid,
            now: systemClock.now(),
          });
          const details = { scopes, owner, accountable: created.accountableUid ?? owner };
          await record(em, { op: 'application.created', ...ofTenant('application', created), details });
          return created;
        }),
      );
      print({ uid: application.uid, name, environment: application.environment, scopes }, options);
    });
  withJson(group.command('list'))
    .description('list the applications of a workspace')
    .requiredOption('--workspace <uid>')
    .action(async (options: OutputOptions & { workspace: string }) => {
      const all = await asOperator((operator) =>
        operator.everywhere((em) =>
          em.find(
            Application,
            { workspaceUid: options.workspace },
            { filters: false, orderBy: { uid: 'asc' } },
          ),
        ),
      );
      printRows(
        all.map(({ uid, name, environment, status, scopes }) => ({ uid, name, environment, status, scopes })),
        options,
      );
    });
  withJson(group.command('set-scopes <application> <scopes>'))
    .description('set what its credentials may do, from the next request on: all, or a list')
    .action(async (uid: string, scopes: string, options: OutputOptions) => {
      const held = scopeList(scopes);
      await asOperator((operator) =>
        operator.everywhere(async (em) => {
          const application = await findApplication(em, uid);
          const details = { before: application.scopes, after: held };
          application.scopes = held;
          await record(em, {
            op: 'application.scopes_set',
            ...ofTenant('application', application),
            details,
          });
        }),
      );
      print({ uid, scopes: held }, options);
    });
  registerProductionAccess(group);
  const changes: Record<ApplicationEvent, string> = {
    suspend: 'refuse its credentials until it is resumed',
    resume: 'accept its credentials again',
    revoke: 'refuse its credentials for ever',
  };
  for (const event of applicationEvents) {
    withJson(group.command(`${event} <application>`))
      .description(changes[event])
      .action(async (uid: string, options: OutputOptions) => {
        const { status } = await asOperator((operator) =>
          operator.everywhere((em) => change(em, uid, event)),
        );
        print({ uid, status }, options);
      });
  }
}

const ops = {
  suspend: 'application.suspended',
  resume: 'application.resumed',
  revoke: 'application.revoked',
} as const;

async function change(em: Em, uid: string, event: ApplicationEvent): Promise<Application> {
  const changed = await changeApplication(em, uid, event);
  if (!changed) throw unknownApplication(uid);
  const { application, verdict } = changed;
  if (!verdict.ok) throw new Refusal(verdict.code, 'a revoked application stays revoked');
  if (verdict.next !== 'unchanged')
    await record(em, { op: ops[event], ...ofTenant('application', application) });
  return application;
}
