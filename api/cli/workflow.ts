import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import { prefixes } from '#lib/core/prefix.ts';
import { isUid } from '#lib/core/id.ts';
import { runs } from '#lib/runs.ts';
import { readDefinition } from '#lib/workflows/definition.ts';
import { library } from '#lib/workflows/library.ts';
import { changeVersion, proposeVersion } from '#lib/workflows/publish.repository.ts';
import type { VersionEvent, VersionRefusal } from '#lib/workflows/version-states.ts';
import { WorkflowVersion } from '#lib/workflows/workflow-version.entity.ts';
import { withPerson, type GovernedOptions } from './governed.ts';
import { listInPlace } from './list-in-place.ts';
import { inPlaceAs, onRecordAs, type Place } from './on-batch.ts';
import { asOperator } from './operator.ts';
import { checkText, withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { placeOption } from './place-option.ts';
import { ofTenant, record } from './record.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { registerFiles } from './workflow-file.ts';
import { readJson } from './workflow-json.ts';
import { registerRate } from './workflow-rate.ts';
import { registerSchedules } from './workflow-schedule.ts';
import { approveRun, registerRuns, showRun } from './workflow-run.ts';

type Change = OutputOptions & GovernedOptions & { reason?: string; step?: string };

const refusals: Record<VersionRefusal, string> = {
  transition_not_allowed: 'that cannot happen to the version in its present state',
  second_person_required: 'who proposed it cannot publish it',
};

export function register(program: Command): void {
  const group = program
    .command('workflow')
    .description('steps that follow one another, by rules and persons');
  withPerson(withJson(group.command('publish <file>')))
    .description(`propose a version, which a second person approves; a JSON file, or one of ${keys}`)
    .requiredOption('--workspace <uid>')
    .addOption(placeOption())
    .action(publish);
  withPerson(withJson(group.command('approve <uid>')))
    .description('publish a version that another person proposed, or let a waiting run go on')
    .option('--reason <text>', 'why; needed for a run')
    .option('--step <key>', 'of a run: this step (default: those that wait)')
    .action((uid: string, options: Change) =>
      isUid(uid, prefixes.workflowRun) ? approveRun(uid, options) : change('publish', uid, options),
    );
  withPerson(withJson(group.command('withdraw <version>')))
    .description('have nothing more started by a version; one person is enough')
    .action((uid: string, options: Change) => change('withdraw', uid, options));
  listInPlace(
    group.command('list').description('list the versions, newest first'),
    (em, limit) => em.find(WorkflowVersion, {}, { orderBy: { uid: 'desc' }, limit }),
    present,
  );
  withJson(group.command('show <uid>'))
    .description('print a version or a run whole')
    .action((uid: string, options: OutputOptions) =>
      isUid(uid, prefixes.workflowRun) ? showRun(uid, options) : show(uid, options),
    );
  registerRuns(group);
  registerSchedules(group);
  registerFiles(group);
  registerRate(group);
}

const keys = Object.keys(library).join(', ');

async function publish(file: string, options: OutputOptions & GovernedOptions & Place): Promise<void> {
  const read = readDefinition(
    Object.hasOwn(library, file) ? library[file] : await readJson(file, `; the library has ${keys}`),
    runs,
  );
  if (!read.ok) {
    const faults = read.faults.map(({ pointer, message }) => `${pointer || '/'} ${message}`).join('; ');
    throw new Refusal('definition_invalid', faults);
  }
  const proposed = await inPlaceAs(options, options, async (em, { uid: by }) => {
    const version = await proposeVersion(em, { ...read, by, now: systemClock.now() });
    await recordChange(em, version, 'proposed', by);
    return version;
  });
  print(
    { ...present(proposed), next: `assay workflow approve ${proposed.uid} --as <another person>` },
    options,
  );
}

async function change(event: VersionEvent, uid: string, options: Change): Promise<void> {
  const about = {
    find: (em: Em) => em.findOne(WorkflowVersion, { uid }, { filters: false }),
    code: 'version_unknown',
    what: 'version of a workflow',
  };
  const changed = await onRecordAs(about, options, async (em, { uid: by }) => {
    const made = await changeVersion(em, uid, { event, by, now: systemClock.now() });
    const past = event === 'publish' ? 'published' : 'withdrawn';
    await recordChange(em, made.version, past, by, made.ok ? undefined : made.code);
    return made;
  });
  if (!changed.ok) throw new Refusal(changed.code, refusals[changed.code]);
  print(present(changed.version), options);
}

async function show(uid: string, options: OutputOptions): Promise<void> {
  const found = await asOperator((operator) =>
    operator.everywhere((em) => em.findOne(WorkflowVersion, { uid }, { filters: false })),
  );
  if (!found) throw new Refusal('version_unknown', `there is no version ${checkText('the uid', uid)}`);
  const persons = { proposed_by: found.proposedByUid, published_by: found.publishedByUid ?? null };
  print({ ...present(found), ...persons, definition: found.definition }, options);
}

type Em = Parameters<typeof proposeVersion>[0];

async function recordChange(
  em: Em,
  version: WorkflowVersion,
  what: 'proposed' | 'published' | 'withdrawn',
  by: string,
  refused?: string,
): Promise<void> {
  const { key, version: number, digest } = version;
  await record(em, {
    op: `workflow.${what}`,
    by,
    ...ofTenant('workflow_version', version),
    ...(refused ? { refused } : {}),
    details: { key, version: number, digest },
  });
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
