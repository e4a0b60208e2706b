import { Command } from 'commander';
import { Problem } from '#lib/core/problem.ts';
import { version } from '#lib/core/version.ts';
import { Refusal } from './refusal.ts';

const REFUSED = 1;
const USAGE = 2;

/** The operator's command line. Each group of commands is loaded only when it is called. */
const groups: Record<string, () => Promise<{ register(program: Command): void }>> = {
  migrate: () => import('./migrate.ts'),
  workspace: () => import('./workspace.ts'),
  person: () => import('./person.ts'),
  app: () => import('./application.ts'),
  key: () => import('./key.ts'),
  oauth: () => import('./oauth.ts'),
  counterparty: () => import('./counterparty.ts'),
  project: () => import('./project.ts'),
  custodian: () => import('./custodian.ts'),
  ceiling: () => control('ceiling'),
  role: () => control('role'),
  membership: () => control('membership'),
  binding: () => control('binding'),
  action: () => control('action'),
  connector: () => control('connector'),
  identity: () => control('identity'),
  'identity-ceiling': () => control('identity-ceiling'),
  authority: () => control('authority'),
  graph: () => control('graph'),
  policy: () => import('./policy.ts'),
  delegation: () => import('./delegation.ts'),
  govern: () => import('./govern.ts'),
  obligation: () => import('./obligation.ts'),
  'netting-set': () => import('./netting-set.ts'),
  'tolerance-profile': () => control('tolerance-profile'),
  'settlement-calendar': () => control('settlement-calendar'),
  'pre-trade-rules': () => control('pre-trade-rules'),
  batch: () => import('./batch.ts'),
  exception: () => import('./exception.ts'),
  token: () => import('./token.ts'),
  dataset: () => import('./dataset.ts'),
  company: () => import('./company.ts'),
  metric: () => import('./metric.ts'),
  forecast: () => import('./forecast.ts'),
  ledger: () => import('./ledger.ts'),
  import: () => import('./import.ts'),
  feature: () => import('./feature.ts'),
  ai: () => import('./ai.ts'),
  audit: () => import('./audit.ts'),
  value: () => import('./value.ts'),
  evidence: () => import('./evidence.ts'),
  'signing-key': () => import('./signing-key.ts'),
  keys: () => import('./keys.ts'),
  model: () => import('./model.ts'),
  lqm: () => import('./lqm.ts'),
  webhook: () => import('./webhook.ts'),
  workflow: () => import('./workflow.ts'),
  doctor: () => import('./doctor.ts'),
  jobs: () => import('./jobs.ts'),
  seed: () => import('./seed.ts'),
  verify: () => import('./verify.ts'),
  replay: () => import('./replay.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  openapi: () => import('./openapi.ts'),
  serve: () => import('./serve.ts'),
  demo: () => import('./demo.ts'),
};

async function control(group: string) {
  return (await import('./control.ts')).commandsOf(group);
}

const program = new Command('assay')
  .description('Assay, for operators. Add --help to any command.')
  .version(version)
  .enablePositionalOptions() // the version of a model is no question for that of Assay
  .showHelpAfterError()
  .exitOverride((error) => {
    process.exit(error.exitCode === 0 ? 0 : USAGE);
  });

const asked = process.argv[2];
const wanted = asked !== undefined && Object.hasOwn(groups, asked) ? [asked] : Object.keys(groups);
for (const name of wanted) (await groups[name]!()).register(program);

// What Node prints of an error that nobody caught has all that a library attached to it.
process.on('uncaughtException', (error: unknown) => {
  tellOf(error);
  process.exit();
});
try {
  await program.parseAsync();
} catch (error) {
  tellOf(error);
}

function tellOf(error: unknown): void {
  const known = error instanceof Refusal || error instanceof Problem;
  process.stderr.write(known ? `${error.code}: ${detailOf(error)}\n` : `${messageOf(error)}\n`);
  process.exitCode = error instanceof Refusal ? error.status : REFUSED;
}

function detailOf(error: Refusal | Problem): string {
  return error instanceof Problem ? error.detail : error.message;
}

function messageOf(error: unknown): string {
  return error instanceof Error
    ? process.env['LOG_LEVEL'] === 'debug'
      ? error.stack!
      : error.message
    : String(error);
}
