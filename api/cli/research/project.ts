import { readFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { createAjv } from '#lib/core/ajv.ts';
import { Refusal } from '#lib/core/refusal.ts';
import { WrittenDefinition } from '#lib/research/project-definition.ts';
import { findProject, listProjects } from '#lib/research/research-project.query.ts';
import { createProject, updateProject } from '#lib/research/write-project.command.ts';
import { unprovenPerson } from '#lib/access/prove-person.command.ts';
import { checkText } from '../shell/options.ts';
import { print, printRows, type OutputOptions } from '../shell/output.ts';
import { askIn } from '../shell/ask.ts';
import { governProven } from '../shell/govern.ts';
import { inWorkspaceOf } from '../shell/place.ts';

type Given = OutputOptions & { workspace: string; definition: string; as?: string };

const PROJECTS_MAX = 1_000;

export function register(program: Command): void {
  const group = program.command('project');
  inWorkspaceOf(group.command('create'), 'create a project; prints its integer id')
    .requiredOption('--name <name>', 'the name of the project, unique in the workspace')
    .requiredOption(
      '--definition <file.json>',
      'a JSON file with the universe, features, target and calendar',
    )
    .option('--as <person>', 'the person who makes the change (default: the owner of the workspace)')
    .action(create);
  inWorkspaceOf(
    group.command('update <id>'),
    'write a new version of the definition of a project; existing snapshots stay as they are',
  )
    .requiredOption(
      '--definition <file.json>',
      'a JSON file with the universe, features, target and calendar',
    )
    .option('--as <person>', 'the person who makes the change (default: the owner of the workspace)')
    .action(update);
  inWorkspaceOf(group.command('list'), 'list the projects, newest first').action(list);
  inWorkspaceOf(group.command('show <id>'), 'show a project with a version of its definition')
    .option('--version <number>', 'the version of the definition (default: the newest)')
    .action(show);
}

async function create({ workspace, definition, as, ...options }: Given & { name: string }): Promise<void> {
  const name = checkText('--name', options.name);
  const given = { workspace, name, written: await readDefinition(definition) };
  const { result } = await governProven(createProject, given, () => unprovenPerson(as));
  print(result, options);
}

async function update(id: string, { workspace, definition, as, ...options }: Given): Promise<void> {
  const given = { workspace, id: projectId(id), written: await readDefinition(definition) };
  const { result } = await governProven(updateProject, given, () => unprovenPerson(as));
  print(result, options);
}

async function list({ workspace, ...options }: OutputOptions & { workspace: string }): Promise<void> {
  const page = { after: undefined, limit: PROJECTS_MAX };
  const all = await askIn({ workspace }, listProjects, page);
  printRows(all, options, ({ id, name, version, definition, definedAt }) => ({
    id,
    name,
    version,
    features: definition.features.length,
    universe: definition.universe.kind,
    defined_at: definedAt,
  }));
}

type ShowOptions = OutputOptions & { workspace: string; version?: string };

async function show(id: string, { workspace, version, ...options }: ShowOptions): Promise<void> {
  const wanted = version === undefined ? {} : { version: projectId(version) };
  const found = await askIn({ workspace }, findProject, { id: projectId(id), ...wanted });
  if (!found) throw new Refusal('project_unknown', `the workspace has no such project: ${id}`);
  const { uid, name, definition, definitionSha256, definedAt, definedByUid } = found;
  print(
    {
      id: found.id,
      uid,
      name,
      version: found.version,
      definition,
      definition_sha256: definitionSha256,
      defined_at: definedAt,
      defined_by: definedByUid,
    },
    options,
  );
}

async function readDefinition(file: string): Promise<WrittenDefinition> {
  let written: unknown;
  try {
    written = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    throw new Refusal('file_unreadable', `${file}: ${(error as Error).message}`);
  }
  const valid = createAjv().compile(WrittenDefinition);
  if (!valid(written)) {
    const faults = valid
      .errors!.slice(0, 5)
      .map(({ instancePath, message }) => `${instancePath || '/'} ${message}`);
    throw new Refusal('definition_invalid', `${file}: ${faults.join('; ')}`);
  }
  return written as WrittenDefinition;
}

function projectId(text: string): number {
  const id = Number(text);
  if (!Number.isInteger(id) || id < 1 || id > 2_147_483_647) {
    throw new Refusal('invalid_id', `not the integer id of a project: ${text}`);
  }
  return id;
}
