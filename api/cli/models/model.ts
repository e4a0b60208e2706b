import type { Command } from 'commander';
import { chooseVersion } from '#lib/models/registry/choose-version.command.ts';
import { listModelVersions } from '#lib/models/registry/model.query.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { askIn } from '../shell/ask.ts';
import { inWorkspaceOf } from '../shell/place.ts';
import { governNamed } from '../shell/govern.ts';

type Options = OutputOptions & { workspace: string };
type SetOptions = Options & { as?: string; version?: string };

export function register(program: Command): void {
  const group = program.command('model');
  inWorkspaceOf(
    group.command('list'),
    'list the models, and the active version of each in a workspace',
  ).action(list);
  inWorkspaceOf(group.command('activate <key>'), 'activate an approved model version in the workspace')
    .requiredOption('--version <version>', 'the version to activate')
    .option('--as <person>', 'the person who makes the change (default: the owner of the workspace)')
    .action((key: string, options: SetOptions) => setActive(key, options, options.version ?? null));
  inWorkspaceOf(
    group.command('deactivate <key>'),
    'deactivate the model in the workspace; runs of the model are then refused',
  )
    .option('--as <person>', 'the person who makes the change (default: the owner of the workspace)')
    .action((key: string, options: SetOptions) => setActive(key, options, null));
}

async function list(options: Options): Promise<void> {
  const found = await askIn(options, listModelVersions);
  printRows(found, options, ({ version: { key, version, state, approvedBy }, isActive }) => ({
    key,
    version,
    state,
    approved_by: approvedBy ?? null,
    active: isActive,
  }));
}

async function setActive(key: string, options: SetOptions, version: string | null): Promise<void> {
  const { workspace } = options;
  await governNamed(chooseVersion, { workspace, key, version }, options);
  print({ key, workspace, active: version }, options);
}
