import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import type { Config } from '#lib/core/config.ts';
import { scopes } from '#lib/core/scope.ts';
import { addWorkspace } from '#lib/actions/authority/add-workspace.command.ts';
import { importDataset } from '#lib/data/import/load/import-dataset.command.ts';
import { sampleImports } from '#lib/data/sample.ts';
import { openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { addApplication } from '#lib/access/add-application.command.ts';
import { addPerson } from '#lib/access/add-person.command.ts';
import { isLiveKey } from '#lib/access/credential.repository.ts';
import { issueApiKey } from '#lib/access/issue-api-key.command.ts';
import { asOperator, queriesOn, type Operator } from './operator.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { governQuickstart } from './quickstart/quickstart.ts';
import { person, type Hands } from './quickstart/sample.ts';
import { seedFeatures } from './seed-features.ts';
import { seedModel } from './seed-model.ts';
import { seedProject } from './seed-project.ts';
import { governBy, unnamed } from './shell/govern.ts';

export type Seeded = { workspace: { uid: string }; application: { uid: string }; api_key: string };

type Kept = Seeded & { credential: { uid: string } };

export function register(program: Command): void {
  const group = program.command('seed').description('sample data');
  withJson(group.command('demo'))
    .description('make the sample workspace with real market data; again changes nothing')
    .action(async (options: OutputOptions) => {
      const seeded = await asOperator((operator) => seedAll(operator, operator));
      print(seeded, options);
    });
}

/** Seeds the sample workspace of a database whose owner's URL is given. */
export async function seedDemo(ownerUrl: string, config: Config): Promise<Seeded> {
  const orm = openOrm(roleUrl(ownerUrl, 'operator', config), 2);
  try {
    return await seedAll({ orm, query: queriesOn(orm) }, { config, ownerUrl });
  } finally {
    await orm.close();
  }
}

async function seedAll(
  hands: Hands,
  { config, ownerUrl }: Pick<Operator, 'config' | 'ownerUrl'>,
): Promise<Seeded> {
  const seeded = await seedTenancy(hands, config);
  const workspace = seeded.workspace.uid;
  await seedData(hands, workspace);
  await seedProject(hands, workspace);
  await seedGoverned(hands, config, workspace);
  const sample = { workspace, environment: 'sandbox', application: seeded.application.uid } as const;
  await seedModel(hands, sample, ownerUrl);
  return seeded;
}

/** The key is kept in `ASSAY_HOME`, for its owner's eyes, since the database has only its hash. */
async function seedTenancy(hands: Hands, config: Config): Promise<Seeded> {
  const file = path.join(config.ASSAY_HOME, 'demo.json');
  const kept = readKept<Kept>(file);
  const isLive = kept && (await hands.query('everywhere', isLiveKey, kept.credential.uid));
  const demo = isLive ? kept : await createDemo(hands);
  mkdirSync(config.ASSAY_HOME, { recursive: true });
  if (!isLive) writeFileSync(file, `${JSON.stringify(demo)}\n`, { mode: 0o600 });
  const { workspace, application, api_key } = demo;
  return { workspace, application, api_key };
}

async function seedData(hands: Hands, workspace: string): Promise<void> {
  for (const sample of sampleImports) {
    const { result } = await governBy(hands, importDataset, { ...sample, workspace }, unnamed);
    if (sample.kind === 'prices') await seedFeatures(hands, workspace, result.report.dataset.uid);
  }
}

/** What `govern quickstart` makes, kept beside the demo key: the keys of its applications are shown nowhere else. */
async function seedGoverned(hands: Hands, config: Config, workspace: string): Promise<void> {
  const file = path.join(config.ASSAY_HOME, 'governed.json');
  if (readKept<{ workspace: string }>(file)?.workspace === workspace) return;
  const sample = await governQuickstart(hands, workspace, unnamed);
  writeFileSync(file, `${JSON.stringify({ workspace, ...sample })}\n`, { mode: 0o600 });
}

async function createDemo(hands: Hands): Promise<Kept> {
  const made = { name: 'Demo', region: 'local', timeZone: 'UTC' };
  const workspace = (await governBy(hands, addWorkspace, made, unnamed)).result.uid;
  const dana = { workspace, name: 'Dana Demo', email: 'dana@demo.example', roles: ['owner'] };
  const owner = (await governBy(hands, addPerson, dana, unnamed)).result.uid;
  const demo = { workspace, environment: 'sandbox', name: 'demo', owner } as const;
  const application = (await governBy(hands, addApplication, { ...demo, scopes: [...scopes] }, person(owner)))
    .result.uid;
  const { key, credential } = (await governBy(hands, issueApiKey, { application }, person(owner))).result;
  return {
    workspace: { uid: workspace },
    application: { uid: application },
    api_key: key,
    credential: { uid: credential.uid },
  };
}

function readKept<T>(file: string): T | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as T;
  } catch {
    return undefined;
  }
}
