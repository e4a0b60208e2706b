import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { addWorkspace } from '#lib/actions/authority/add-workspace.command.ts';
import { scopes } from '#lib/core/scope.ts';
import { importDataset } from '#lib/data/import/load/import-dataset.command.ts';
import { sampleImports } from '#lib/data/sample.ts';
import { addApplication } from '#lib/access/add-application.command.ts';
import { addPerson } from '#lib/access/add-person.command.ts';
import { ownerOf } from '#lib/access/named-person.query.ts';
import { isLiveKey } from '#lib/access/credential.write.ts';
import { issueApiKey } from '#lib/access/issue-api-key.command.ts';
import { seedFeatures } from './features.ts';
import { governQuickstart } from './governed/quickstart.ts';
import { requireTwoApprovers } from './governed/two-approvers.ts';
import { unnamed } from '#lib/audit/entry.ts';
import { governWith, person, type SampleOperators } from './sample-operators.ts';
import { seedModel, type WithRunner } from './model.ts';
import { seedPortfolios } from './portfolios.ts';
import { seedProject } from './project.ts';
import { seedQuestionModel } from './question-model.ts';

export type Seeded = { workspace: { uid: string }; application: { uid: string }; api_key: string };

/** The governed sample of the workspace: the output of `govern quickstart`, with the keys of its applications. */
type Governed = Awaited<ReturnType<typeof governQuickstart>>;

type Kept = Seeded & { credential: { uid: string } };

/**
 * Creates the sample workspace: market data, features, a research project, governed actions, portfolios and models. Running it
 * again changes nothing. The keys of its applications are stored in `home`, because the database stores only their
 * hashes. Only the owner of the folder can read them.
 */
export async function seedDemo(
  operators: SampleOperators,
  home: string,
  withRunner: WithRunner,
): Promise<Seeded & { governed: Governed }> {
  const seeded = await seedTenancy(operators, home);
  const workspace = seeded.workspace.uid;
  await seedData(operators, workspace);
  await seedProject(operators, workspace);
  const governed = await seedGoverned(operators, home, workspace);
  const sample = { workspace, environment: 'sandbox', application: seeded.application.uid } as const;
  const owner = await operators.query('everywhere', ownerOf, workspace);
  const place = { workspace, environment: 'sandbox' } as const;
  const { grantor, controller } = governed.persons;
  const persons = { grantor: grantor.uid, controller: controller.uid, second: owner! };
  await requireTwoApprovers(operators, place, persons);
  await seedPortfolios(operators, place, owner!);
  await seedModel(operators, sample, withRunner);
  await seedQuestionModel(operators, sample, withRunner);
  return { ...seeded, governed };
}

async function seedTenancy(operators: SampleOperators, home: string): Promise<Seeded> {
  const file = path.join(home, 'demo.json');
  const kept = readKept<Kept>(file);
  const isLive = kept && (await operators.query('everywhere', isLiveKey, kept.credential.uid));
  const demo = isLive ? kept : await createDemo(operators);
  mkdirSync(home, { recursive: true });
  if (!isLive) writeFileSync(file, `${JSON.stringify(demo)}\n`, { mode: 0o600 });
  const { workspace, application, api_key } = demo;
  return { workspace, application, api_key };
}

async function seedData(operators: SampleOperators, workspace: string): Promise<void> {
  for (const sample of sampleImports) {
    const { result } = await governWith(operators, importDataset, { ...sample, workspace }, unnamed);
    if (sample.kind === 'prices') await seedFeatures(operators, workspace, result.report.dataset.uid);
  }
}

/**
 * Runs `govern quickstart` and stores its output in `home`, because no other command shows the keys of its
 * applications. Returns the stored output if the workspace has one.
 */
async function seedGoverned(operators: SampleOperators, home: string, workspace: string): Promise<Governed> {
  const file = path.join(home, 'governed.json');
  const kept = readKept<Governed & { workspace: string }>(file);
  if (kept?.workspace === workspace) return kept;
  const sample = await governQuickstart(operators, workspace, unnamed);
  writeFileSync(file, `${JSON.stringify({ workspace, ...sample })}\n`, { mode: 0o600 });
  return sample;
}

async function createDemo(operators: SampleOperators): Promise<Kept> {
  const made = { name: 'Demo', region: 'local', timeZone: 'UTC' };
  const workspace = (await governWith(operators, addWorkspace, made, unnamed)).result.uid;
  const dana = { workspace, name: 'Dana Demo', email: 'dana@demo.example', roles: ['owner'] };
  const owner = (await governWith(operators, addPerson, dana, unnamed)).result.uid;
  const demo = { workspace, environment: 'sandbox', name: 'demo', owner } as const;
  const application = (
    await governWith(operators, addApplication, { ...demo, scopes: [...scopes] }, person(owner))
  ).result.uid;
  const { key, credential } = (await governWith(operators, issueApiKey, { application }, person(owner)))
    .result;
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
