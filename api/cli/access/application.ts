import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { environments, type Environment } from '#lib/database/base.ts';
import { addApplication } from '#lib/access/add-application.command.ts';
import { listApplications } from '#lib/access/application.query.ts';
import { applicationEvents, type ApplicationEvent } from '#lib/access/application.ts';
import { changeApplication, setScopes } from '#lib/access/change-application.command.ts';
import { ask } from '../shell/operator.ts';
import { checkText, scopeList, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { registerProductionAccess } from './production-access.ts';
import { governUnnamed } from '../shell/govern.ts';
import { inWorkspaceOf } from '../shell/place.ts';

type CreateOptions = OutputOptions & {
  workspace: string;
  name: string;
  environment: Environment;
  scopes: string;
  owner: string;
  accountable?: string;
};

const descriptions: Record<ApplicationEvent, string> = {
  suspend: 'reject the credentials of an application until the application is resumed',
  resume: 'accept the credentials of an application again',
  revoke: 'reject the credentials of an application permanently',
};

export function register(program: Command): void {
  const group = program.command('app');
  inWorkspaceOf(group.command('create'), 'create an application in one environment of a workspace')
    .requiredOption('--name <name>', 'the name of the application')
    .requiredOption('--environment <environment>', `the environment: ${environments.join(' or ')}`)
    .requiredOption('--scopes <scopes>', 'the scopes: all, or a list such as investment:run,investment:read')
    .requiredOption('--owner <person>', 'the person who operates the application')
    .option(
      '--accountable <person>',
      'the person accountable for what the application does (default: the owner)',
    )
    .action(async ({ workspace, environment, owner, accountable, ...options }: CreateOptions) => {
      const name = checkText('--name', options.name);
      if (!environments.includes(environment)) {
        throw new Refusal('unknown_environment', `the environments are ${environments.join(' and ')}`);
      }
      const scopes = scopeList(options.scopes);
      const given = { workspace, environment, name, scopes, owner, accountable };
      const { result } = await governUnnamed(addApplication, given);
      print({ uid: result.uid, name, environment, scopes }, options);
    });
  inWorkspaceOf(group.command('list'), 'list the applications of a workspace').action(
    async ({ workspace, ...options }: OutputOptions & { workspace: string }) => {
      const all = await ask('everywhere', listApplications, workspace);
      printRows(all, options, ({ uid, name, environment, status, scopes }) => ({
        uid,
        name,
        environment,
        status,
        scopes,
      }));
    },
  );
  withJson(group.command('set-scopes <application> <scopes>'))
    .description(
      'set the scopes of an application to all, or to a list separated by commas; the next request uses the new scopes',
    )
    .action(async (uid: string, list: string, options: OutputOptions) => {
      const scopes = scopeList(list);
      await governUnnamed(setScopes, { application: uid, scopes });
      print({ uid, scopes }, options);
    });
  registerProductionAccess(group);
  for (const event of applicationEvents) {
    withJson(group.command(`${event} <application>`))
      .description(descriptions[event])
      .action(async (uid: string, options: OutputOptions) => {
        const { result } = await governUnnamed(changeApplication, { application: uid, event });
        print({ uid, status: result.status }, options);
      });
  }
}
