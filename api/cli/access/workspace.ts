import type { Command } from 'commander';
import { Refusal } from '#lib/core/refusal.ts';
import { serviceClasses, type ServiceClass } from '#lib/database/base.ts';
import { addWorkspace } from '#lib/actions/authority/add-workspace.command.ts';
import { environmentInUse } from '#lib/access/environment-in-use.query.ts';
import { provenInWorkspace } from '#lib/access/prove-person.command.ts';
import { setEntitlements, setProof, setServiceClass } from '#lib/access/set-workspace.command.ts';
import { listWorkspaces } from '#lib/access/workspace.query.ts';
import { registerFreeze } from './freeze.ts';
import { registerMove } from '../cells/move.ts';
import { registerPurge } from '../cells/purge.ts';
import { registerTransfer } from '../cells/transfer.ts';
import { ask } from '../shell/operator.ts';
import { checkText, scopeList, withJson } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { governProven, governUnnamed } from '../shell/govern.ts';

type CreateOptions = OutputOptions & { name: string; region: string; timeZone: string };

export function register(program: Command): void {
  const group = program.command('workspace');
  withJson(group.command('create'))
    .description('create a workspace that is entitled to all scopes')
    .requiredOption('--name <name>', 'the name of the workspace')
    .option('--region <region>', 'the region where the data of the workspace is stored', 'local')
    .option('--time-zone <zone>', 'the time zone of calendar days and months, as an IANA name', 'UTC')
    .action(async ({ timeZone, ...options }: CreateOptions) => {
      const name = checkText('--name', options.name);
      const region = checkText('--region', options.region);
      if (timeZone !== 'UTC' && !Intl.supportedValuesOf('timeZone').includes(timeZone)) {
        throw new Refusal('unknown_time_zone', 'a time zone is an IANA name such as Europe/Berlin');
      }
      const { result } = await governUnnamed(addWorkspace, { name, region, timeZone });
      print({ uid: result.uid, name, service_class: result.serviceClass }, options);
    });
  withJson(group.command('list'))
    .description('list the workspaces')
    .action(async (options: OutputOptions) => {
      const all = await ask('everywhere', listWorkspaces);
      printRows(all, options, ({ uid, name, serviceClass: service_class, createdAt }) => ({
        uid,
        name,
        service_class,
        created_at: createdAt.toISOString(),
      }));
    });
  withJson(group.command('set-entitlements <workspace> <scopes>'))
    .description(
      'set the scopes that applications of the workspace may hold: all, or a list separated by commas',
    )
    .action(async (uid: string, scopes: string, options: OutputOptions) => {
      const entitlements = scopeList(scopes);
      await governUnnamed(setEntitlements, { workspace: uid, value: entitlements });
      print({ uid, entitlements }, options);
    });
  registerFreeze(group);
  registerTransfer(group);
  registerMove(group);
  registerPurge(group);
  withPerson(withJson(group.command('set-proof <workspace> <proof>')))
    .description(
      'set how persons confirm decisions of the console in production: any (passkey or one-time code) or passkey',
    )
    .action(async (uid: string, proof: string, options: OutputOptions & GovernedOptions) => {
      if (proof !== 'any' && proof !== 'passkey')
        throw new Refusal('unknown_proof', 'the proofs are any and passkey');
      await governProven(setProof, { workspace: uid, value: proof }, (means) =>
        provenInWorkspace(means, options, environmentInUse),
      );
      print({ uid, proof }, options);
    });
  withJson(group.command('set-class <workspace> <class>'))
    .description(`set the service class to one of ${serviceClasses.join(', ')}`)
    .action(async (uid: string, service_class: ServiceClass, options: OutputOptions) => {
      if (!serviceClasses.includes(service_class)) {
        throw new Refusal('unknown_service_class', `the classes are ${serviceClasses.join(', ')}`);
      }
      await governUnnamed(setServiceClass, { workspace: uid, value: service_class });
      print({ uid, service_class }, options);
    });
}
