import type { Command } from 'commander';
import { newestInstallations, type FoundInstallation } from '#lib/workflows/catalogue/installation.query.ts';
import { removeInstallation } from '#lib/workflows/catalogue/remove-installation.command.ts';
import { governAs } from '../shell/govern.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { listInPlace } from '../shell/list.ts';
import { withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';

/** Registers the commands for installed workflows of the library. */
export function registerInstallations(group: Command): void {
  listInPlace(
    group.command('installations').description('list the installations of library workflows, newest first'),
    newestInstallations,
    present,
  );
  withPerson(withJson(group.command('uninstall <installation>')))
    .description('remove an installation; published versions stay published')
    .action(async (installation: string, options: OutputOptions & GovernedOptions) => {
      const { result } = await governAs(removeInstallation, { installation }, options);
      print(present(result), options);
    });
}

function present({ installation, state }: FoundInstallation) {
  const { uid, key, version, digest, replacesUid, createdAt } = installation;
  return {
    uid,
    key,
    version,
    state,
    digest,
    replaces: replacesUid ?? null,
    created_at: createdAt.toISOString(),
  };
}
