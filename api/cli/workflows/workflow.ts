import type { Command } from 'commander';
import { isUid } from '#lib/core/id.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { Refusal } from '#lib/core/refusal.ts';
import type { Tenant } from '#lib/database/base.ts';
import { changeVersion } from '#lib/workflows/change-version.command.ts';
import { runs } from '#lib/runs.ts';
import { readDefinition } from '#lib/workflows/definition.ts';
import { library } from '#lib/workflows/library.ts';
import { installedContent } from '#lib/workflows/catalogue/installation.query.ts';
import { proposeVersion } from '#lib/workflows/propose-version.command.ts';
import type { VersionEvent } from '#lib/workflows/version-states.ts';
import { findAnyVersion, listVersions } from '#lib/workflows/version.query.ts';
import type { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { withPerson, type GovernedOptions } from '../shell/governed.ts';
import { listInPlace } from '../shell/list.ts';
import { withPlace } from '../shell/place.ts';
import { ask } from '../shell/operator.ts';
import { checkText, withJson } from '../shell/options.ts';
import { print, type OutputOptions } from '../shell/output.ts';
import { faultsText } from '#lib/governance/refusal.ts';
import { governAs } from '../shell/govern.ts';
import { registerInstallations } from './workflow-installation.ts';
import { changeLibrary, namesItem, registerLibrary, type ItemChange } from './workflow-library.ts';
import { registerFiles } from './workflow-file.ts';
import { readJson } from './workflow-json.ts';
import { registerProofs } from './workflow-proof.ts';
import { registerRate } from './workflow-rate.ts';
import { registerSchedules } from './workflow-schedule.ts';
import { approveRun, registerRuns, showRun } from './workflow-run.ts';

type Change = OutputOptions & GovernedOptions & { reason?: string; step?: string };

export function register(program: Command): void {
  const group = program.command('workflow');
  withPlace(withPerson(withJson(group.command('publish <file>'))))
    .description(
      `propose a version, which a second person must approve; takes a JSON file, or one of ${keys}`,
    )
    .option('--installation <uid>', 'propose the content of this installation of the workflow')
    .action(publish);
  withPerson(withJson(group.command('approve <uid>')))
    .description(
      'publish a version or a library item that another person proposed, or continue a waiting run',
    )
    .option('--reason <text>', 'the reason; required for a run')
    .option('--step <key>', 'for a run: the step to approve (default: all waiting steps)')
    .action((uid: string, options: Change) => {
      if (isUid(uid, prefixes.workflowRun)) return approveRun(uid, options);
      return namesItem(uid) ? changeLibrary('approve', uid, options) : change('publish', uid, options);
    });
  withPerson(withJson(group.command('withdraw <version>')))
    .description(
      'withdraw a version (it starts no more runs) or a library item (it can no longer be installed); one person is enough',
    )
    .option('--workspace <uid>', "the uid of the operator's workspace, for a library item KEY@VERSION")
    .action((uid: string, options: Change & ItemChange) =>
      namesItem(uid) ? changeLibrary('withdraw', uid, options) : change('withdraw', uid, options),
    );
  listInPlace(group.command('list').description('list the versions, newest first'), listVersions, present);
  withJson(group.command('show <uid>'))
    .description('print a version or a run in full')
    .action((uid: string, options: OutputOptions) =>
      isUid(uid, prefixes.workflowRun) ? showRun(uid, options) : show(uid, options),
    );
  registerLibrary(group);
  registerInstallations(group);
  registerRuns(group);
  registerSchedules(group);
  registerFiles(group);
  registerProofs(group);
  registerRate(group);
}

const keys = Object.keys(library).join(', ');

type Publication = OutputOptions & GovernedOptions & Tenant & { installation?: string };

async function publish(file: string, options: Publication): Promise<void> {
  const { workspace, environment, installation } = options;
  const { definition, digest } = await (installation === undefined
    ? contentOf(file)
    : contentInstalled(file, installation));
  const proposal = { workspace, environment, definition, digest, installation };
  const { result } = await governAs(proposeVersion, proposal, options);
  print({ ...present(result), next: `assay workflow approve ${result.uid} --as <another person>` }, options);
}

async function contentOf(file: string) {
  const read = readDefinition(
    Object.hasOwn(library, file) ? library[file] : await readJson(file, `; the library has ${keys}`),
    runs,
  );
  if (!read.ok) throw new Refusal('definition_invalid', faultsText(read.faults));
  return read;
}

/** Returns the content of an installation. Content that this deployment cannot run is refused. */
async function contentInstalled(key: string, installation: string) {
  const found = await ask('everywhere', installedContent, installation);
  if (found?.key !== key)
    throw new Refusal('installation_unknown', `the installation is not one of ${checkText('the key', key)}`);
  const read = readDefinition(found.definition, runs);
  if (!read.ok) throw new Refusal('definition_invalid', faultsText(read.faults));
  return read;
}

async function change(event: VersionEvent, version: string, options: Change): Promise<void> {
  const { result } = await governAs(changeVersion, { version, event }, options);
  print(present(result), options);
}

async function show(uid: string, options: OutputOptions): Promise<void> {
  const found = await ask('everywhere', findAnyVersion, uid);
  if (!found) throw new Refusal('version_unknown', `there is no version ${checkText('the uid', uid)}`);
  const persons = { proposed_by: found.proposedByUid, published_by: found.publishedByUid ?? null };
  print({ ...present(found), ...persons, definition: found.definition }, options);
}

function present({ uid, key, version, digest, state, definition, publishedAt }: WorkflowVersion) {
  return {
    uid,
    key,
    version,
    state,
    title: definition.title,
    steps: definition.steps.length,
    digest,
    published_at: publishedAt?.toISOString() ?? null,
  };
}
