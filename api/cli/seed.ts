import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Command } from 'commander';
import { systemClock } from '#lib/core/clock.ts';
import type { Config } from '#lib/core/config.ts';
import { scopes } from '#lib/core/scope.ts';
import { importDataset } from '#lib/data/import/import-dataset.command.ts';
import { sampleImports } from '#lib/data/sample.ts';
import type { Em, Orm } from '#lib/database/base.ts';
import { inPlatform, openOrm } from '#lib/database/orm.ts';
import { roleUrl } from '#lib/database/roles.ts';
import { seedFeatures } from './seed-features.ts';
import { seedModel } from './seed-model.ts';
import { seedProject } from './seed-project.ts';
import { Credential } from '#lib/workspace/credential.entity.ts';
import { createApplication, createPerson, createWorkspace, issueKey } from '#lib/workspace/provision.ts';
import { asOperator, type Operator } from './operator.ts';
import { governQuickstart } from './quickstart/quickstart.ts';
import { withJson } from './options.ts';
import { print, type OutputOptions } from './output.ts';
import { record } from './record.ts';
import { governBy, unnamed } from './shell/govern.ts';

export type Seeded = { workspace: { uid: string }; application: { uid: string }; api_key: string };

type Kept = Seeded & { credential: { uid: string } };

export function register(program: Command): void {
  const group = program.command('seed').description('sample data');
  withJson(group.command('demo'))
    .description('make the sample workspace with real market data; again changes nothing')
    .action(async (options: OutputOptions) => {
      const seeded = await asOperator((operator) => seedAll(operator.orm, operator));
      print(seeded, options);
    });
}

/** Seeds the sample workspace of a database whose owner's URL is given. */
export async function seedDemo(ownerUrl: string, config: Config): Promise<Seeded> {
  const orm = openOrm(roleUrl(ownerUrl, 'operator', config), 2);
  try {
    return await seedAll(orm, { config, ownerUrl });
  } finally {
    await orm.close();
  }
}

async function seedAll(
  orm: Orm,
  { config, ownerUrl }: Pick<Operator, 'config' | 'ownerUrl'>,
): Promise<Seeded> {
  const seeded = await inPlatform(orm, (em) => seedTenancy(em, config));
  const workspace = seeded.workspace.uid;
  await seedData(orm, workspace);
  await inPlatform(orm, async (em) => {
    await seedProject(em, workspace);
    await seedGoverned(em, config, workspace);
  });
  const sample = { workspace, environment: 'sandbox', application: seeded.application.uid } as const;
  await seedModel(orm, sample, ownerUrl);
  return seeded;
}

/** The key is kept in `ASSAY_HOME`, for its owner's eyes, since the database has only its hash. */
async function seedTenancy(em: Em, config: Config): Promise<Seeded> {
  const file = path.join(config.ASSAY_HOME, 'demo.json');
  const kept = readKept<Kept>(file);
  const isLive =
    kept && (await em.findOne(Credential, { uid: kept.credential.uid, revokedAt: null }, { filters: false }));
  const demo = isLive ? kept : await createDemo(em);
  mkdirSync(config.ASSAY_HOME, { recursive: true });
  if (!isLive) writeFileSync(file, `${JSON.stringify(demo)}\n`, { mode: 0o600 });
  const { workspace, application, api_key } = demo;
  return { workspace, application, api_key };
}

async function seedData(orm: Orm, workspace: string): Promise<void> {
  for (const sample of sampleImports) {
    const { result } = await governBy({ orm }, importDataset, { ...sample, workspace }, unnamed);
    if (sample.kind === 'prices') await seedFeatures(orm, workspace, result.report.dataset.uid);
  }
}

/** What `govern quickstart` makes, kept beside the demo key: the keys of its applications are shown nowhere else. */
async function seedGoverned(em: Em, config: Config, workspace: string): Promise<void> {
  const file = path.join(config.ASSAY_HOME, 'governed.json');
  if (readKept<{ workspace: string }>(file)?.workspace === workspace) return;
  const sample = await governQuickstart(em, workspace);
  writeFileSync(file, `${JSON.stringify({ workspace, ...sample })}\n`, { mode: 0o600 });
}

async function createDemo(em: Em): Promise<Kept> {
  const now = systemClock.now();
  const { uid: workspace } = createWorkspace(em, { name: 'Demo', now });
  await em.flush();
  const name = 'Dana Demo';
  const person = createPerson(em, { workspace, name, email: 'dana@demo.example', roles: ['owner'], now });
  await em.flush();
  const environment = 'sandbox';
  const owner = person.uid;
  const application = createApplication(em, {
    workspace,
    environment,
    name: 'demo',
    scopes: [...scopes],
    owner,
    now,
  });
  await em.flush();
  const { key, credential } = issueKey(em, application, { issuedBy: owner, now });
  const made = { workspace: { uid: workspace }, person, application, key: credential };
  for (const [type, { uid }] of Object.entries(made)) {
    await record(em, { op: `${type}.created`, workspace, environment, subject: { type, uid } });
  }
  return {
    workspace: { uid: workspace },
    application: { uid: application.uid },
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
